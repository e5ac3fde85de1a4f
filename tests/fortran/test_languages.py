"""Names and attributes from Fortran, and between Fortran and C, against the standard. Usage: test_languages.py native|forced BINDING

Natively, what the MPIs of docs/conformance.md make otherwise is what that page says; of other releases it is only told."""

import sys

import harness

# Deviations of the native MPIs, by version text of the library.
BLANKS = {"blanks before a name are part of it", "C sees it without those behind it"}
DEVIATIONS = {
    "Open MPI v4.1.4": BLANKS | {"which nobody sets", "attributes of MPI_COMM_NULL", "a keyval of datatypes on a communicator"},
    "MPICH Version: 4.0.2": BLANKS | {"a keyval of C copies what Fortran set"},
}
AT_END = ["at the end 2", "at the end 1", "end"]
LEAST = {"mpi_f08": 25, "mpi": 32, "mpif_h": 32}


def probes(stdout):
    return [line.split("|") for line in stdout.splitlines() if line.count("|") == 2]


def main(mode, binding):
    problems = []
    with harness.workspace() as folder:
        extra = harness.recording(folder) | {"CALLSIGN_FORCE": "all"} if mode == "forced" else {}
        ran = harness.mpirun(0, f"languages_{binding}", extra=extra, cwd=folder)
        found = probes(ran.stdout)
        version = next((" ".join(line[4:].split()) for line in ran.stdout.splitlines() if line.startswith("mpi ")), "")
        deviating = {behaviour: (expected, result) for behaviour, expected, result in found if expected != result}
        if ran.code != 0 or len(found) < LEAST[binding] or ran.stdout.splitlines()[-3:] != AT_END:
            problems.append(f"{len(found)} probes, code {ran.code}: {ran.stdout[-500:]} {ran.stderr[-1000:]}")
        if mode == "forced":
            problems += [f"{behaviour}: expected {expected}, found {result}" for behaviour, (expected, result) in deviating.items()]
            problems += [f"callsign says: {line}" for line in ran.messages()]
        elif version in DEVIATIONS and set(deviating) != DEVIATIONS[version]:
            problems.append(f"{version} deviates in {sorted(deviating)}, told are {sorted(DEVIATIONS[version])}")
        elif version not in DEVIATIONS:
            print(f"skipped: nothing is told of {version}, which deviates in {sorted(deviating)}")
    raise SystemExit(harness.report(problems))


if __name__ == "__main__":
    main(*sys.argv[1:3])
