"""Runs one MPI test program bare and under callsign: same output and exit code, and a trace that agrees with what the program
says it did. Usage: run.py [--np N] [--option WORD]... [--set NAME=VALUE]... [--exit-code N] PROGRAM [ARGUMENT...]
An argument {folder} is replaced by a temporary folder. With a sanitizer there is no bare run: it looks at callsign alone, and programs behave as
bare in the release build."""

import argparse

import harness


def forget_codes_of_chance(bare, recorded, run_bare):
    """MPICH 4.2's launcher answers 0 for a job that it ended, one time in five. Where bare runs show both, exit codes say nothing."""
    if any((run_bare().code == 0) != (bare.code == 0) for _ in range(40)):
        print("the launcher itself sometimes answers 0 for this program and sometimes not, bare: exit codes are not compared")
        bare.code = recorded.code = -1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--np", type=int, default=2, help="ranks; 0: start without a launcher")
    parser.add_argument("--option", action="append", default=[], help="one more word for the launcher")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="environment of the recorded run")
    parser.add_argument("--exit-code", default="0", 
                        help="what the program must return (default: 0); failure: anything but 0, see harness.unaffected")
    parser.add_argument("--traces", type=int, help="how many traces must appear (default: one for each rank)")
    parser.add_argument("program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()

    with harness.workspace() as folder:
        arguments = [word.replace("{folder}", str(folder)) for word in options.arguments]

        def run(extra=None):
            return harness.mpirun(options.np, options.program, *arguments, options=options.option, extra=extra, cwd=folder)

        bare = None if harness.SANITIZER else run()
        extra = harness.recording(folder)
        extra.update(pair.split("=", 1) for pair in options.set)
        recorded = run(extra)
        bare = bare or recorded
        cut_off = options.exit_code == "failure"
        if cut_off and 0 in (bare.code, recorded.code):
            forget_codes_of_chance(bare, recorded, run)
        problems = harness.unaffected(bare, recorded, cut_off=cut_off)
        if bare.code == 0 if cut_off else options.exit_code != str(bare.code):
            problems.append(f"the program returned {bare.code} and not {options.exit_code}: {bare.stderr[-2000:]}")
        problems += harness.compare(folder, max(options.np, 1) if options.traces is None else options.traces)
        stray = [path.name for path in folder.iterdir() if path.name not in ("out", "facts")]
        if stray:
            problems.append(f"files left in the working folder: {stray}")
    raise SystemExit(harness.report(problems))


if __name__ == "__main__":
    main()
