"""The predefined attributes of windows in Fortran: the MPI's own, and callsign's where the library has none of windows. Usage:
test_windows.py native|lacking BINDING

The library that has none is a copy of the one at hand that hides these functions; the program finds it first."""

import os
import pathlib
import re
import sys

import harness

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "mpi1"))
import double  # noqa: E402  (the path must be set first)

ATTRIBUTES = re.compile(r"P?MPI_Win_(?:create_keyval|free_keyval|set_attr|get_attr|delete_attr)")
# How windows are made: base, size, displacement unit and flavor in the program, and the flavor in the trace.
MADE = {"create": ("T|24|4|1", "create"), "allocate": ("T|24|8|2", "allocate"),
        "allocate_shared": ("T|24|2|3", "shared"), "create_dynamic": ("T|0|1|4", "dynamic")}
MODELS = ("separate", "unified")


def judge(found, lacking):
    """found: {how it was made: what the program says, with the number of the model at the end}"""
    for how, words in found.items():
        facts, _, model = words.rpartition("|")
        wanted = "12" if not lacking else "2" if how == "allocate_shared" else "1"
        if facts != MADE[how][0] or model not in wanted:
            yield f"{how}: expected {MADE[how][0]} and one of the models {wanted}, found {words}"


def compare(trace, found, lacking):
    served = trace.execute("SELECT value FROM meta WHERE key = 'served_by_callsign'").fetchall()
    if served != ([("attributes of windows",)] if lacking else []):
        yield f"the trace says that callsign served {served}"
    told = [f"{MADE[how][1]}|{words[2:-4]}|{MODELS[int(words[-1]) - 1]}" for how, words in found.items()]
    rows = ["|".join(map(str, row)) for row in trace.execute(
        "SELECT flavor, size_bytes, displacement_unit_bytes, model FROM window ORDER BY object")]
    if rows != told:
        yield f"the program says {told}, the trace {rows}"


def hide(mpi, program, folder):
    """Puts a copy of the MPI that lacks them into the folder, and copies of its libraries for Fortran that do without them."""
    double.make_library(mpi, folder / os.environ["CS_TEST_SONAME"], hides=ATTRIBUTES)
    for name, path in re.findall(r"(libmpi\w*fort\w*\.so\S*|libmpi_\w+\.so\S*) => (/\S+)", harness.run(["ldd", program]).stdout):
        double.make_user(path, folder / name, ATTRIBUTES)


def main(mode, binding):
    lacking, problems = mode == "lacking", []
    with harness.workspace() as folder:
        extra = harness.recording(folder)
        if lacking:
            hide(pathlib.Path(os.environ["CS_TEST_MPI"]), os.path.join(harness.PROGRAMS, f"windows_{binding}"), folder)
            extra["LD_LIBRARY_PATH"] = str(folder)
        ran = harness.mpirun(0, f"windows_{binding}", extra=extra, cwd=folder)
        pairs = [line.split("|", 1) for line in ran.stdout.splitlines()]
        found = {how: words for how, words in pairs if words != "not here"}  # Open MPI 4.1 has not all of them on one node
        if ran.code != 0 or ran.messages() or [how for how, _ in pairs] != list(MADE) or len(found) < 2:
            problems.append(f"code {ran.code}: {ran.stdout} {ran.stderr[-1000:]}")
        problems += judge(found, lacking)
        traces = list(harness.databases(folder).values())
        if len(traces) != 1:
            problems.append(f"{len(traces)} traces instead of 1")
        for path in traces:
            with harness.open_trace(path) as trace:
                problems += compare(trace, found, lacking)
    raise SystemExit(harness.report(problems))


if __name__ == "__main__":
    main(*sys.argv[1:3])
