"""Synchronizing collectives of a Fortran program count as those of one in C. Usage: test_synchronized.py BINDING"""

import os
import sys

import harness

# The launcher says that all ranks are on one node, where nothing is kept.
HIDDEN = ["-u", "OMPI_COMM_WORLD_LOCAL_SIZE", "-u", "MPI_LOCALNRANKS"]
KEPT = [1, 2, 4, 8, *range(15, 31)]


def problems_of(folder):
    for path in harness.databases(folder).values():
        with harness.open_trace(path) as trace:
            (rank,) = trace.execute("SELECT rank FROM process").fetchone()
            rows = trace.execute("SELECT s.nth, s.entered_ns, s.left_ns FROM synchronization s JOIN object o ON o.object = s.communicator "
                                 "WHERE o.name = 'all' ORDER BY 1").fetchall()
        if [nth for nth, _, _ in rows] != KEPT:
            yield f"rank {rank}: calls {[nth for nth, _, _ in rows]} are kept and not {KEPT}"
        for nth, entered, left in rows:
            if (entered is None) != (rank == 1 and nth == 4) or left is None or (entered is not None and entered > left):
                yield f"rank {rank}: call {nth} from {entered} to {left}"


def main():
    program = os.path.join(harness.PROGRAMS, f"synchronized_{sys.argv[1]}")
    with harness.workspace() as folder:
        bare = harness.mpirun(4, "/usr/bin/env", *HIDDEN, program, cwd=folder)
        recorded = harness.mpirun(4, "/usr/bin/env", *HIDDEN, program, extra=harness.recording(folder), cwd=folder)
        problems = harness.unaffected(bare, recorded)
        if bare.code != 0:
            problems.append(f"the bare run returned {bare.code}: {bare.stderr[-2000:]}")
        if len(harness.databases(folder)) != 4:
            problems.append(f"{len(harness.databases(folder))} traces instead of 4")
        problems += problems_of(folder)
    raise SystemExit(harness.report(problems))


if __name__ == "__main__":
    main()
