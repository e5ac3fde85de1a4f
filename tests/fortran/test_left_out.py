"""Exclusions from communicators are recorded for Fortran programs as for C. Usage: test_left_out.py BINDING"""

import sys

import harness
import left_out


def main():
    program = f"left_out_{sys.argv[1]}"
    with harness.workspace() as folder:
        bare = harness.mpirun(4, program, cwd=folder)
        recorded = harness.mpirun(4, program, extra=harness.recording(folder), cwd=folder)
        problems = harness.unaffected(bare, recorded)
        if bare.code != 0:
            problems.append(f"the bare run returned {bare.code}: {bare.stderr[-2000:]}")
        problems += left_out.problems_of(folder)
    raise SystemExit(harness.report(problems))


if __name__ == "__main__":
    main()
