#!/usr/bin/env python3
"""Other people's test suites, each test bare and recorded: callsign must change neither what it prints nor how it ends.

    tests/suites/run.py                          everything, with Open MPI and MPICH: takes hours
    tests/suites/run.py mpich/attr mpich/comm    folders of MPICH's suite, or single programs: mpich/attr/attrt
    tests/suites/run.py mpi4py
    tests/suites/run.py --mpi openmpi --set CALLSIGN_FORCE=all mpich/attr    with more environment in the recorded run
    tests/suites/run.py --check mpi4py           with all checks; prints what callsign check finds in each test
    tests/suites/run.py --check --once mpich     each test once, recorded, for what the checks find: takes half the time

The suites come from Debian's source packages and are built below build/suites; callsign is that of build/release. A test that differs is run
again, bare and recorded: what differs between bare runs too is unsteady by itself. Exit code 1: something differs.
"""

import argparse
import collections
import contextlib
import itertools
import json
import pathlib
import re
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/mpi"), str(ROOT / "tests/support")]
import bounded  # noqa: E402  (the path must be set first)
import harness  # noqa: E402
import mpi4py_suite  # noqa: E402
import mpich_suite  # noqa: E402
import sources  # noqa: E402

SUITES = {"mpich": mpich_suite, "mpi4py": mpi4py_suite}
TRIES = 3
RAN_OUT = -1000


def settings_of(flavour, build):
    """The options of tests in the build tree: library, launcher, ..."""
    found = bounded.run(["ctest", "--show-only=json-v1", "-R", f"^mpi\\.{flavour}\\.books$"], cwd=build, capture_output=True, check=True, text=True)
    test = next(iter(json.loads(found.stdout)["tests"]), None)
    if test is None:
        raise sources.Missing(f"{build} was built without {flavour}")
    (values,) = (each["value"] for each in test["properties"] if each["name"] == "ENVIRONMENT")
    return dict(value.split("=", 1) for value in values)


def without_times(result):
    """Values that differ between runs of any program: addresses, process numbers, times."""
    hidden = re.sub(r"0x[0-9a-f]+|\b\d+\.\d+(e[-+]\d+)?s?\b|\bpid[ =]\d+|\[[\w.-]+:\d+\]", "*", result.stdout)
    return harness.Result(result.code, hidden, result.stderr)


def differences(bare, recorded):
    """In what the program does. Whose exit code a launcher tells is chance when it ends the other ranks."""
    return harness.unaffected(bare, harness.Result(recorded.code, recorded.stdout, ""), cut_off=bare.code != 0)


class Runner:
    def __init__(self, flavour, options):
        self.settings = settings_of(flavour, options.build)
        self.stands = options.folder / "no_end.log"
        self.limit, self.more = options.limit, dict(each.split("=", 1) for each in options.set)
        self.checks, self.found = options.check, []  # found: what callsign check says of the last recorded run
        if self.checks:
            self.more.setdefault("CALLSIGN_CHECK", "all")

    def run(self, test, recorded):
        with harness.workspace() as folder:
            extra = dict(test.env)
            if recorded:
                extra.update(harness.recording(folder, self.settings["CS_TEST_LIBRARY"]), **self.more)
            words = [self.settings["CS_TEST_MPIEXEC"], "-n", str(test.np), *test.words]
            env = harness.base_environment(**extra)
            # Without single copies Open MPI 4.1 has no windows over memory that the program brings. What it says on stderr where they are
            # forbidden is not compared.
            del env["OMPI_MCA_btl_vader_single_copy_mechanism"]
            with open(self.stands, "a") as log, contextlib.redirect_stderr(log):  # where one that does not end stands
                result = harness.run(words, env, test.folder, self.limit)
            if recorded and self.checks:
                self.found = self.check(folder)
            return without_times(result)

    def check(self, folder):
        lines = []
        for run in harness.run_folders(folder):
            done = bounded.run([self.settings["CS_TEST_COMMAND"], "check", str(run)], 120, capture_output=True, text=True)
            lines += done.stdout.splitlines() if done.returncode == 1 else []
        return lines

    def run_once(self, test):
        """(word for the outcome, nothing to explain)"""
        code = self.run(test, recorded=True).code
        return {0: "ended", RAN_OUT: "no end"}.get(code, "failed"), []

    def compare(self, test):
        """(word for the outcome, lines that explain it: what callsign said, if nothing else)"""
        bare, failed, problems = [], [], []
        for _ in range(TRIES):
            bare.append(self.run(test, recorded=False))
            if bare[0].code == RAN_OUT:
                return "no end", []
            recorded = self.run(test, recorded=True)
            failed.append(recorded.code != 0)
            found = [differences(each, recorded) for each in bare]
            if [] in found:
                return "same" if bare[-1].code == 0 else "same failure", recorded.messages()
            problems = found[-1] + recorded.stderr.splitlines()[-5:]
        steady = not any(differences(bare[0], each) for each in bare[1:])
        ends = {each.code != 0 for each in bare}, set(failed)
        return "differs" if steady or all(len(codes) == 1 for codes in ends) and ends[0] != ends[1] else "unsteady", problems


def too_much(test, options):
    if test.np > options.ranks:
        return f"wants {test.np} ranks"
    return f"may take {test.seconds} s" if test.seconds > options.limit else None


def in_words(counts):
    return ", ".join(f"{number} {outcome}" for outcome, number in sorted(counts.items()))


def run_suite(suite, flavour, wanted, options):
    """{outcome: number of tests}. Tells what is worth telling as it happens, and of each folder the numbers."""
    counts = collections.Counter()
    runner = Runner(flavour, options)
    judge = runner.run_once if options.once else runner.compare
    for folder, tests in itertools.groupby(SUITES[suite].tests(flavour, options.folder, wanted), lambda pair: pair[0].folder):
        begun, here = time.monotonic(), collections.Counter()
        for test, reason in tests:
            reason = reason or too_much(test, options)
            runner.found = []
            outcome, problems = ("not run", [reason]) if reason else judge(test)
            here[outcome] += 1
            if runner.found:
                here["with findings"] += 1
                print(f"{flavour} {suite} {test.name}: callsign check finds", *(line[:500] for line in runner.found), sep="\n    ", flush=True)
            if problems or outcome not in ("same", "same failure", "ended"):
                print(f"{flavour} {suite} {test.name}: {outcome}", *(problem[:500] for problem in problems), sep="\n    ", flush=True)
        print(f"{flavour} {suite} {folder.name}: {in_words(here)} ({time.monotonic() - begun:.0f} s)", flush=True)
        counts += here
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", default=list(SUITES), help="SUITE, SUITE/FOLDER or SUITE/FOLDER/PROGRAM")
    parser.add_argument("--mpi", action="append", choices=("openmpi", "mpich"), help="only with this one")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="environment of the recorded run")
    parser.add_argument("--check", action="store_true", help="print what callsign check finds in the recorded runs")
    parser.add_argument("--once", action="store_true", help="run each test once, recorded, and compare nothing")
    parser.add_argument("--limit", type=int, default=60, metavar="SECONDS", help="for a run, longer while the machine is busy (%(default)s)")
    parser.add_argument("--ranks", type=int, default=12, metavar="MOST", help="tests that want more are not run (%(default)s)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release", help="folder of the callsign to be tested")
    options = parser.parse_args()
    options.folder = ROOT / "build/suites"
    totals = {}
    for flavour in options.mpi or ("openmpi", "mpich"):
        for suite in SUITES:
            wanted = [what.partition("/")[2] for what in options.what if what.partition("/")[0] == suite]
            if not wanted:
                continue
            try:
                totals[flavour, suite] = run_suite(suite, flavour, [] if "" in wanted else wanted, options)
            except sources.Missing as missing:
                print(f"{flavour} {suite}: NOTHING WAS RUN: {missing}", flush=True)
    for (flavour, suite), counts in totals.items():
        print(f"{flavour} {suite}: {in_words(counts)}")
    sys.exit(1 if not totals or any("differs" in counts for counts in totals.values()) else 0)


if __name__ == "__main__":
    main()
