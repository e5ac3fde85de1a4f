#!/usr/bin/env python3
"""Random programs of collective calls (programs/random_collectives.c): correct ones have no mismatch, and one wrong argument is found with the number
of its call. Messages (programs/message_types.c): types that match in spite of appearance are not reported, others are.

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


class Messages(unittest.TestCase):
    def record(self, what):
        workspace = harness.workspace()
        folder = workspace.__enter__()
        self.addCleanup(workspace.cleanup)
        result = harness.mpirun(2, "message_types", what, extra=harness.recording(folder), cwd=folder)
        if what != "lost" or "unmatched message" not in result.stderr:  # MPICH ends the process in MPI_Finalize since 4.1
            self.assertEqual(result.code, 0, result.stderr)
        (run,) = harness.run_folders(folder)
        return run, harness.run([harness.COMMAND, "check", run, "--junit", run / "checks.xml"])

    def test_types_that_match_are_not_reported(self):
        run, checked = self.record("right")
        self.assertEqual((checked.code, rows(run)), (0, []), checked.stdout)

    def test_types_that_differ_are_found_with_tag_datatypes_and_lines(self):
        run, checked = self.record("wrong")
        self.assertEqual(checked.code, 1)
        found = rows(run)
        self.assertEqual({(row["kind"], row["tag"]) for row in found}, {("message_type", tag) for tag in range(100, 107)})
        self.assertEqual({(row["side"], row["ranks"], row["datatype"]) for row in found if row["tag"] == 100},
                         {("sends", "1", "MPI_DOUBLE"), ("receives", "0", "MPI_INT")})
        self.assertRegex(checked.stdout, r"1 message with tag 105 on MPI_COMM_WORLD has another type where it is received: "
                                         r"rank 1 sends MPI_FLOAT at .*message_types.c:\d+, rank 0 receives MPI_INT at .*message_types.c:\d+ ")
        self.assertIn('classname="callsign.check.message_type" name="tag 106 on MPI_COMM_WORLD"', (run / "checks.xml").read_text(encoding="utf-8"))
        kinds = json.loads(harness.run([harness.COMMAND, "query", run, "SELECT kind, least FROM findings WHERE severity = 1", "--format", "json"]).stdout)
        self.assertEqual({(row["kind"], row["least"]) for row in kinds}, {("message_differs", tag) for tag in range(100, 107)})

    def test_errors_that_the_mpi_returns_are_listed_once_with_their_lines(self):
        run, checked = self.record("cut")
        found = {(row["kind"], row["function"], row["error"], row["ranks"]) for row in rows(run)}
        self.assertEqual(found, {("error_returned", "MPI_Recv", "MPI_ERR_TRUNCATE", "0"), ("error_returned", "MPI_Send", "MPI_ERR_RANK", "1")})
        self.assertEqual(checked.code, 1)
        self.assertRegex(checked.stdout, r"(?m)^MPI_Recv on MPI_COMM_WORLD returned MPI_ERR_TRUNCATE on rank 0 at .*message_types.c:\d+$")
        failed = json.loads(harness.run([harness.COMMAND, "query", run, "SELECT DISTINCT function, misuse FROM failed_calls ORDER BY 1", "--format", "json"]).stdout)
        self.assertEqual([(row["function"], row["misuse"]) for row in failed], [("MPI_File_open", 0), ("MPI_Recv", 1), ("MPI_Send", 1)])

    def test_message_that_nobody_receives_is_found_with_its_line(self):
        run, checked = self.record("lost")
        (complete,) = json.loads(harness.run([harness.COMMAND, "query", run, "SELECT count(*) AS n FROM complete_processes", "--format", "json"]).stdout)
        if complete["n"] < 2:  # MPICH ended rank 0 in MPI_Finalize, and its launcher rank 1 on the way there
            self.assertEqual((checked.code, rows(run)), (0, []))
            return
        self.assertEqual((checked.code, [(row["kind"], row["tag"], row["messages"], row["ranks"]) for row in rows(run)]), (1, [("not_received", 107, 1, "1")]))
        self.assertRegex(checked.stdout, r"is never received: rank 1 sends 1 MPI_INT at main message_types.c:\d+ \(MPI 4.1, 11.2.2\)")


class Misuse(unittest.TestCase):
    """programs/misuse.c, with CALLSIGN_CHECK=all: each local check finds its fault, and nothing else."""

    def record(self, what, check="all", ranks=2):
        workspace = harness.workspace()
        folder = workspace.__enter__()
        self.addCleanup(workspace.cleanup)
        result = harness.mpirun(ranks, "misuse", what, extra=dict(harness.recording(folder), CALLSIGN_CHECK=check), cwd=folder)
        (run,) = harness.run_folders(folder)
        harness.seal(run)
        return result, run, rows(run)

    def test_calls_that_are_allowed_are_not_reported(self):
        result, run, found = self.record("right")
        self.assertEqual((result.code, found), (0, []), result.stderr)

    def test_each_fault_is_found_with_its_line(self):
        result, run, found = self.record("wrong")
        faults = {tuple(line.split()[1:]) for line in result.stdout.splitlines() if line.startswith("fault ")}
        told = {(row["kind"], row["location"].rpartition(":")[2]) for row in found if row["kind"] not in ("error_returned", "not_received")}
        self.assertEqual(told, faults, result.stderr)
        self.assertGreater(len(faults), 12)
        checked = harness.run([harness.COMMAND, "check", run])
        self.assertRegex(checked.stdout, r"(?m)^MPI_Irecv on MPI_COMM_SELF at .*misuse.c:\d+, rank 0: it receives into 16 bytes of the buffer of a pending "
                                         r"operation at .*misuse.c:\d+ \(MPI 4.1, 3.7.2\)$")

    def test_only_what_costs_nothing_is_checked_by_default(self):
        self.assertEqual({row["kind"] for row in self.record("wrong", "tell")[2]} - {"error_returned", "not_received"}, {"never_completed"})

    def test_the_first_wrong_call_ends_the_program_on_request(self):
        result, run, found = self.record("wrong", "stop", ranks=0)  # launchers lose what an aborted rank has written
        self.assertNotEqual(result.code, 0)
        self.assertIn("MPI_Bcast is called wrongly, and CALLSIGN_CHECK=stop ends the program", result.stderr)
        self.assertEqual({row["kind"] for row in found}, {"invalid_root"})


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
