#!/usr/bin/env python3
"""Random programs of collective calls (programs/random_collectives.c): correct ones have no mismatch, and one wrong argument is found with the number
of its call.

    mismatches.py campaign [SEEDS] [CALLS]    by hand, with the environment that tests/mpi/CMakeLists.txt sets
"""

import json
import random
import sys
import unittest

import harness

RANKS, WRONG = 4, 2
KINDS = ("root", "operation", "count", "type", "function")


def record(test, *arguments):
    """(result, run folder) of one recorded program."""
    workspace = harness.workspace()
    folder = workspace.__enter__()
    test.addCleanup(workspace.cleanup)
    result = harness.mpirun(RANKS, "random_collectives", *arguments, extra=harness.recording(folder), cwd=folder)
    (run,) = harness.run_folders(folder)
    harness.seal(run)
    return result, run


def rows(run):
    """The rows of the report checks."""
    return json.loads(harness.run([harness.COMMAND, "report", run, "checks", "--format", "json"]).stdout)


class Correct(unittest.TestCase):
    def test_correct_programs_have_no_mismatch(self):
        for seed in (1, 2, 3):
            with self.subTest(seed=seed):
                self.check(seed, 200)

    def check(self, seed, calls):
        result, run = record(self, seed, calls)
        self.assertEqual(result.code, 0, result.stderr)
        checked = harness.run([harness.COMMAND, "check", run])
        self.assertEqual((checked.code, rows(run)), (0, []), checked.stdout)


class Wrong(unittest.TestCase):
    def test_one_wrong_argument_is_found_with_its_call(self):
        for seed, kind in enumerate(KINDS, 11):
            with self.subTest(kind=kind, seed=seed):
                self.check(seed, kind, 30)

    def check(self, seed, kind, call):
        result, run = record(self, seed, 300, kind, WRONG, call)
        number = next(int(line.split()[1]) for line in result.stdout.splitlines() if line.startswith("mutated"))
        found = [row for row in rows(run) if row["side"] is None]
        self.assertTrue(found, f"{result.stdout}{result.stderr}")
        self.assertEqual({(row["kind"], row["number"]) for row in found}, {(kind, number)}, found)
        self.assertEqual([row["ranks"] for row in found if row["ranks"] == str(WRONG)], [str(WRONG)])
        checked = harness.run([harness.COMMAND, "check", run, "--junit", run / "checks.xml"])
        self.assertEqual(checked.code, 1)
        self.assertIn(f"call {number} on ", checked.stdout)
        self.assertIn(f'classname="callsign.check.{kind}"', (run / "checks.xml").read_text(encoding="utf-8"))


def campaign(seeds=200, calls=10000):
    """Many seeds; prints those that fail."""
    correct, wrong, failed = Correct(), Wrong(), 0
    for seed in range(1, int(seeds) + 1):
        kind = KINDS[seed % len(KINDS)]
        for test, arguments in ((correct, (seed, int(calls))), (wrong, (seed, kind, random.Random(seed).randrange(200)))):
            try:
                test.check(*arguments)
            except AssertionError as error:
                failed += 1
                print(f"seed {seed}, {kind if test is wrong else 'correct'}: {error}", flush=True)
            test.doCleanups()
    print(f"{2 * int(seeds)} programs, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["campaign"]:
        sys.exit(campaign(*sys.argv[2:]))
    unittest.main()
