"""Plants each cause of tests/mpi/programs/why.c many times, by hand on an idle machine, and counts what callsign names.

    why_campaign.py [RUNS]    with the environment of the test mpi.MPI.why: ctest -N -V -R mpi.openmpi.why
"""

import collections
import json
import sys

import harness

REASONS = {"work": "work", "sleep": "sleep", "stop": "sleep", "touch": "faults", "file": "input_output", "lock": "threads", "chain": "waiting",
           "alone": None, "master": None, "jitter": None}


def causes(reason):
    """(rank, cause) of each row of late_causes; (None, "no_cores") if all ranks lack cores."""
    with harness.workspace() as folder:
        recorded = harness.mpirun(4, "why", reason, extra=harness.recording(folder))
        (run,) = harness.run_folders(folder)
        sql = "SELECT rank, cause FROM late_causes WHERE cause IS NOT NULL UNION ALL SELECT NULL, kind FROM core_findings"
        asked = harness.run([harness.COMMAND, "query", run, sql, "--format", "json"])
        return recorded.code, tuple((row["rank"], row["cause"]) for row in json.loads(asked.stdout))


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    wrong = 0
    for reason, cause in REASONS.items():
        expected = (0, ((2, cause),) if cause else ())
        found = collections.Counter(causes(reason) for _ in range(runs))
        wrong += runs - found[expected]
        print(f"{reason}: {found[expected]} of {runs} as planted; {dict(found)}", flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
