#!/usr/bin/env python3
"""Random programs of collective calls (programs/random_collectives.c): correct ones have no finding, and one wrong argument is found with the number
and the line of its call. Messages (programs/message_types.c): types that match in spite of appearance are not reported, others are.

With many seeds: mismatches_campaign.py.
"""

import json
import os
import pathlib
import re
import unittest

import harness

RANKS, WRONG = 4, 2
# The error of random_collectives, and the kinds that may say so. All that a member sends and receives in place is summed up: nothing is missing.
KINDS = {"root": {"root"}, "operation": {"operation"}, "count": {"count", "type"}, "type": {"type"}, "function": {"function"}, "form": {"function"},
         "skip": {"function"}, "order": {"function"}, "communicator": {"function"}}
# With a sanitizer one of those is enough that differ only in SQL: a value that all must agree on, an amount, an order, and a hang.
ASKED = ("root", "count", "function", "communicator") if harness.SANITIZER else tuple(KINDS)
COLLECTIVE = {"root", "operation", "count", "type", "function", "call", "data", "missing"}


def rows(run):
    """The rows of the report checks."""
    return json.loads(harness.run([harness.COMMAND, "report", run, "checks", "--format", "json"]).stdout)


def work_folder(test):
    workspace = harness.workspace()
    test.addCleanup(workspace.cleanup)
    return workspace.__enter__()


class Correct(unittest.TestCase):
    def test_correct_programs_have_no_finding(self):
        for seed in (1, 2):
            with self.subTest(seed=seed):
                self.check(seed, 400)

    def check(self, seed, calls):
        folder = work_folder(self)
        result = harness.mpirun(RANKS, "random_collectives", seed, calls, extra=dict(harness.recording(folder), CALLSIGN_CHECK="all"), cwd=folder)
        self.assertEqual(result.code, 0, result.stderr)
        (run,) = harness.run_folders(folder)
        harness.convert(run)
        checked = harness.run([harness.COMMAND, "check", run])
        self.assertEqual((checked.code, rows(run)), (0, []), checked.stdout)


class Wrong(unittest.TestCase):
    def test_one_wrong_argument_is_found_with_its_call_and_line(self):
        for seed, kind in enumerate(KINDS, 11):
            if kind in ASKED:
                with self.subTest(kind=kind, seed=seed):
                    self.check(seed, kind, WRONG, 30)

    def check(self, seed, kind, wrong, call):
        """The fault may end the program, block it for ever, or do no harm."""
        folder, deadlock = work_folder(self), []

        def is_found():
            if not ((folder / "wrong").exists() and (folder / "wrong").read_text(encoding="utf-8").endswith("\n")):
                return False
            (run,) = harness.run_folders(folder)
            (number, communicator, line), told = self.rows_about(folder, rows(run), kind)
            if kind == "communicator" and not told:  # each waits for the others: no two calls can be compared
                said = harness.run([harness.COMMAND, "hang", run]).stdout
                absent = f"but rank {wrong} has not called it, for "  # a nonblocking call waits elsewhere
                deadlock.extend(re.findall(rf"on {communicator}, (?:{absent}.*:{line}$|begun at [^,]*:{line}, {absent})", said, re.MULTILINE))
            return told or deadlock

        result = harness.mpirun_until(is_found, RANKS, "random_collectives", seed, call + 300, kind, wrong, call, extra=harness.recording(folder),
                                      folder=folder)
        (run,) = harness.run_folders(folder)
        harness.convert(run)
        found = rows(run)
        (number, communicator, line), told = self.rows_about(folder, found, kind)
        if deadlock:
            return
        self.assertTrue(told, f"{number} {communicator} {line}: {result.stderr}{found}")
        others = [row for row in found if row["kind"] in COLLECTIVE and row not in told and row["side"] is None]
        self.assertTrue(all(row["number"] > number if row["communicator"] == communicator else kind == "communicator" for row in others), others)
        if {row["kind"] for row in told} <= {"root", "operation", "function"}:
            self.assertIn(str(wrong), [row["ranks"] for row in told])
        if kind != "communicator":  # there the two calls of this number have other lines
            self.assertIn(line, {row["location"].rpartition(":")[2] for row in told if row["location"]}, told)
        checked = harness.run([harness.COMMAND, "check", run, "--junit", run / "checks.xml"])
        self.assertEqual(checked.code, 1)
        self.assertIn(f"call {number} on {communicator}", checked.stdout)
        for row in told:
            if row["kind"] == "function" and (row["root"] or -1) >= 0:
                self.assertIn(f'{row["function"]} with root {row["root"]}', checked.stdout)
        self.assertIn(f'classname="callsign.check.{told[0]["kind"]}"', (run / "checks.xml").read_text(encoding="utf-8"))

    @staticmethod
    def rows_about(folder, found, kind):
        """(number, communicator, line) of the wrong call, and the rows about it."""
        number, communicator, line = (folder / "wrong").read_text(encoding="utf-8").split()
        return (int(number), communicator, line), [row for row in found if row["kind"] in KINDS[kind] and row["side"] is None
                                                   and (row["number"], row["communicator"]) == (int(number), communicator)]


class Said(unittest.TestCase):
    """Where else a mismatch is said."""

    def test_hang_says_which_ranks_are_in_which_call(self):
        folder, said = work_folder(self), []

        def is_said():
            runs = harness.run_folders(folder) if (folder / "wrong").exists() else []
            said.extend(harness.run([harness.COMMAND, "hang", run]).stdout for run in runs)
            return said and "Mismatch: " in said[-1]

        harness.mpirun_until(is_said, RANKS, "random_collectives", 17, 330, "skip", WRONG, 30, extra=harness.recording(folder), folder=folder)
        number, communicator, line = (folder / "wrong").read_text(encoding="utf-8").split()
        self.assertRegex(said[-1], rf"(?m)^Mismatch: call {number} on {communicator}: ranks 0,1,3 call MPI_\w+( with root \d)? at .*, "
                                   rf"rank {WRONG} calls MPI_Barrier at .*random_collectives.c:{line} \(MPI 4.1, 6.14\)$")

    def test_root_on_the_wrong_rank_between_groups_is_found(self):
        folder = work_folder(self)
        harness.mpirun(RANKS, "hung", "roots", extra=harness.recording(folder), cwd=folder)  # it ends without MPI_Finalize
        (run,) = harness.run_folders(folder)
        harness.convert(run)
        found = [row for row in rows(run) if row["communicator"] == "bridge"]
        self.assertEqual([(row["kind"], row["number"], row["ranks"], row["root"], row["function"]) for row in found],
                         [("root", 2, ranks, root, "MPI_Ibcast") for ranks, root in (("0", -2), ("1", -3), ("2,3", 0))])
        self.assertIn("rank 0 names MPI_PROC_NULL, rank 1 names MPI_ROOT, ranks 2,3 name root 0 (MPI 4.1", harness.run([harness.COMMAND, "check", run]).stdout)

    def test_run_ends_with_the_first_mismatch_and_the_next_command(self):
        folder = work_folder(self)
        result = harness.run([harness.COMMAND, "run", "--output", folder / "out", "--", *harness.launcher(2),
                              pathlib.Path(harness.PROGRAMS) / "message_types", "wrong"], cwd=folder)
        self.assertEqual(result.code, 0, result.stderr)
        self.assertRegex(result.stderr, r"(?m)^callsign: 7 mismatches, the first on MPI_COMM_WORLD at .*message_types.c:\d+; callsign report .* checks$")


class Created(unittest.TestCase):
    """programs/created_groups.c: the members of a new communicator must agree on its group."""

    def record(self, fault, is_told):
        """What was told, and the line of rank 0. The fault may block for ever, or end the program."""
        folder, told = work_folder(self), []

        def is_found():
            (run,) = harness.run_folders(folder) if (folder / "wrong").exists() else (None,)
            found = is_told(run) if run else None
            told.extend([found] if found else [])
            return told

        result = harness.mpirun_until(is_found, RANKS, "created_groups", fault, extra=harness.recording(folder), folder=folder)
        if not told:  # the MPI ended the program
            (run,) = harness.run_folders(folder)
            harness.convert(run)
            told.append(is_told(run))
        self.assertTrue(told[0], result.stderr)
        return told[0], (folder / "wrong").read_text(encoding="utf-8").strip()

    def test_groups_that_may_differ_are_not_reported(self):
        folder = work_folder(self)
        result = harness.mpirun(RANKS, "created_groups", "right", extra=dict(harness.recording(folder), CALLSIGN_CHECK="all"), cwd=folder)
        (run,) = harness.run_folders(folder)
        harness.convert(run)
        kept = json.loads(harness.run([harness.COMMAND, "query", run, "SELECT count(*) AS n FROM collective_calls WHERE compared = 'group' AND size_bytes > 0",
                                       "--format", "json"]).stdout)
        self.assertEqual((result.code, rows(run)), (0, []), result.stderr)
        self.assertEqual(kept[0]["n"], 4 + 4 + 3 + 1 + 4)

    def test_members_that_pass_different_groups_are_found_with_the_line(self):
        faults = {"members": [("0", 2), ("1", 3), ("2,3", 2)], "order": [("0", 2), ("1-3", 2)], "outsider": [("0-2", 0), ("3", 2)]}
        for fault, groups in faults.items():
            with self.subTest(fault):
                found, line = self.record(fault, lambda run: [row for row in rows(run) if row["kind"] == "group"])
                self.assertEqual([(row["ranks"], row["members"]) for row in found], groups)
                self.assertEqual({row["location"].rpartition(":")[2] for row in found}, {line})
                self.assertEqual({(row["function"], row["number"]) for row in found}, {("MPI_Comm_create", 1)})

    def test_groups_are_told_in_one_sentence(self):
        said, line = self.record("members", lambda run: re.search("^call 1 on .*", harness.run([harness.COMMAND, "check", run]).stdout, re.MULTILINE))
        self.assertRegex(said[0], rf", MPI_Comm_create at wrong\b.* created_groups.c:{line}: rank 0 passes a group of 2 members, rank 1 passes a group of "
                                  r"3 members, ranks 2,3 pass a group of 2 members; not all members of a group pass it \(MPI 4.1, 7.4.2\)$")

    def test_creations_in_another_order_are_found(self):
        found, line = self.record("calls", lambda run: [row for row in rows(run) if row["kind"] == "function"])
        self.assertEqual([(row["ranks"], row["function"]) for row in found], [("0,1", "MPI_Comm_dup"), ("2,3", "MPI_Comm_split")])
        self.assertEqual(found[0]["location"].rpartition(":")[2], line)
        said, line = self.record("objects", lambda run: re.search("^Deadlock: ranks 0-3 wait for each other\n.*", self.hang(run), re.MULTILINE))
        self.assertRegex(said[0], rf"MPI_Comm_dup on .*, but ranks 2,3 have not called it, for .*:{line}$")

    def test_hang_shows_the_tags_of_creations(self):
        for fault, function, tags in (("tags", "MPI_Comm_create_group", {"0": "7", "3": "8"}), ("bridge", "MPI_Intercomm_create", {"0": "7", "2": "8"})):
            with self.subTest(fault):
                self.record(fault, lambda run, function=function, tags=tags: all(
                    re.search(rf"(?m){function}.*, tag {tag}\b", self.hang(run)) for tag in tags.values()))

    @staticmethod
    def hang(run):
        return harness.run([harness.COMMAND, "hang", run]).stdout


class Lost(unittest.TestCase):
    """programs/lost_messages.c: callsign hang and the checks name the call that sent a message elsewhere, if that is known."""

    def hang(self, how):
        """What callsign hang says of rank 1 in the deadlock, and the lines of the calls."""
        folder, told = work_folder(self), []

        def is_told():
            if (folder / "line.1").exists():
                (run,) = harness.run_folders(folder)
                said = harness.run([harness.COMMAND, "hang", run]).stdout
                told.extend(re.findall(r"^  1 \(pid .*", said, re.MULTILINE) if re.search("^Deadlock: ranks 0,1 wait", said, re.MULTILINE) else [])
            return told

        result = harness.mpirun_until(is_told, 2, "lost_messages", how, extra=harness.recording(folder), folder=folder)
        self.assertTrue(told, result.stderr)
        return told[0], [path.read_text(encoding="utf-8").strip() for path in sorted(folder.glob("line.?"))]

    def test_message_to_nobody_is_named_with_its_line(self):
        said, lines = self.hang("null")
        self.assertRegex(said, rf", whose MPI_Isend with tag 7 went to MPI_PROC_NULL at .*:{lines[0]}, for .*:{lines[1]}$")

    def test_message_to_nobody_with_another_tag_is_not_named(self):
        self.assertNotIn("PROC_NULL", self.hang("other_null")[0])

    def test_message_with_another_tag_is_named_with_its_line_if_there_is_one(self):
        said, lines = self.hang("tag")
        self.assertRegex(said, rf", which sent only messages with other tags, at .*:{lines[0]} with tag 8, for .*:{lines[1]}$")
        self.assertRegex(self.hang("tags")[0], "which sent only messages with other tags, for ")

    def test_wait_for_a_request_names_the_call_that_began_it(self):
        said, (line,) = self.hang("request")
        self.assertRegex(said, rf"MPI_Wait for MPI_Irecv on MPI_COMM_WORLD from rank 0, tag 7, begun at .*:{line}, for .*:{int(line) + 1}$")

    def test_lost_message_names_the_only_receive_if_that_is_from_nobody(self):
        for how, sides in (("nobody", ["nowhere", "sends"]), ("somebody", ["sends"])):
            with self.subTest(how):
                folder = work_folder(self)
                result = harness.mpirun(2, "lost_messages", how, extra=harness.recording(folder), cwd=folder)
                (run,) = harness.run_folders(folder)
                harness.convert(run)
                checked = harness.run([harness.COMMAND, "check", run])
                if "unmatched message" in result.stderr:  # MPICH ends the process in MPI_Finalize since 4.1
                    continue
                self.assertEqual(sorted(row["side"] for row in rows(run) if row["tag"] == 7), sides, checked.stdout)
                if how == "nobody":
                    lines = [path.read_text(encoding="utf-8").strip() for path in sorted(folder.glob("line.?"))]
                    self.assertRegex(checked.stdout, rf"(?m)is never received: rank 0 sends 1 MPI_INT at .*:{lines[0]}, rank 1 receives only from MPI_PROC_NULL "
                                                     rf"at .*:{lines[1]} \(MPI 4.1, 11.2.2\)$")


class Messages(unittest.TestCase):
    def record(self, what):
        folder = work_folder(self)
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
        kinds = json.loads(harness.run([harness.COMMAND, "query", run, "SELECT kind, tag FROM findings WHERE severity = 1", "--format", "json"]).stdout)
        self.assertEqual({(row["kind"], row["tag"]) for row in kinds}, {("message_differs", tag) for tag in range(100, 107)})
        self.assertEqual(harness.figures_that_differ(run), [])

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


def told(found):
    """{(kind, line)} of the local checks."""
    return {(row["kind"], row["location"].rpartition(":")[2]) for row in found if row["kind"] not in ("error_returned", "not_received", "truncated")}


# The fault of programs/random_windows.c, and the kinds that may say so.
RACES = {"racing_access", "unordered_access"}
FAULTS = {
    "race_of_fences": RACES, "race_of_all": RACES, "race_of_locks": RACES, "race_of_groups": RACES, "own_race": {"conflicting_access"},
    "beyond": {"beyond_window"}, "uncommitted": {"uncommitted_datatype"}, "room": {"target_too_small"},
    "read_unfinished": {"unfinished_buffer"}, "overwritten": {"overwritten_buffer"}, "received_into": {"overwritten_buffer"},
    "same_request": {"same_request"}, "lost_request": {"never_completed"}, "started_twice": {"active_request"}, "never_started": {"never_started"},
    "null_window": {"null_window"}, "null_communicator": {"null_communicator"}, "null_datatype": {"null_datatype"},
    "freed_communicator": {"freed_handle"}, "freed_group": {"freed_handle"},
    "no_epoch": {"no_epoch"}, "not_locked": {"not_locked"}, "flush_outside": {"not_opened"}, "complete_outside": {"not_opened"},
    "locked_twice": {"locked_twice"}, "all_twice": {"epoch_in_epoch"}, "left_locked": {"open_epoch"},
}


class Windows(unittest.TestCase):
    """programs/random_windows.c: correct ones have no finding, and one fault is found with its line."""

    def test_random_windows(self):
        self.check(1, 12)
        self.check_fault(2, "race_of_locks", 1, 0)
        self.check_fault(72005, "race_of_locks", 0, 4)  # with MPI_Rget

    def record(self, seed, rounds, *fault):
        folder = work_folder(self)
        result = harness.mpirun(3, "random_windows", seed, rounds, *fault, extra=dict(harness.recording(folder), CALLSIGN_CHECK="all"), cwd=folder)
        (run,) = harness.run_folders(folder)
        harness.convert(run)
        return result, rows(run), run

    def check(self, seed, rounds):
        result, found, _ = self.record(seed, rounds)
        self.assertEqual((result.code, found), (0, []), result.stderr)

    def check_fault(self, seed, fault, rank, turn):
        """Returns false if no round of the program is suitable."""
        result, found, run = self.record(seed, turn + 12, fault, rank, turn)
        lines = [line.split()[1] for line in result.stdout.splitlines() if line.startswith("fault ")]
        if not lines:
            return False
        # a race has two calls, and is told at that of the higher rank
        places = "SELECT kind, location(site) AS at, location(other_site) AS other FROM misuses"
        named = json.loads(harness.run([harness.COMMAND, "query", run, places, "--format", "json"]).stdout)
        here = [row for row in named if row["kind"] in FAULTS[fault] and lines[0] in {(row[each] or "").rpartition(":")[2] for each in ("at", "other")}]
        self.assertTrue(here, f"{fault} {lines}: {result.stderr}{found}")
        return True


# By the level of optimization.
VARIABLES = [f"misuse_variables_{level}" for level in range(3)]
FORTRAN = [name for name in ("misuse_variables_fortran",) if os.path.exists(os.path.join(harness.PROGRAMS, name))]


class Misuse(unittest.TestCase):
    """programs/misuse.c and misuse_pieces.c, with CALLSIGN_CHECK=all: each local check finds its fault, and nothing else."""

    def record(self, what, check="all", ranks=2, program="misuse"):
        folder = work_folder(self)
        result = harness.mpirun(ranks, program, what, extra=dict(harness.recording(folder), CALLSIGN_CHECK=check), cwd=folder)
        (run,) = harness.run_folders(folder)
        harness.convert(run)
        return result, run, rows(run)

    def test_calls_that_are_allowed_are_not_reported(self):
        for program, part in ("misuse", "right"), ("misuse", "unseen"), ("misuse_pieces", "right"), *((program, "right") for program in VARIABLES + FORTRAN):
            with self.subTest(f"{program} {part}"):
                result, run, found = self.record(part, program=program)
                self.assertEqual((result.code, found), (0, []), result.stderr)

    def test_each_fault_is_found_with_its_line(self):
        result, run, found = self.record("wrong")
        faults = {tuple(line.split()[1:]) for line in result.stdout.splitlines() if line.startswith("fault ")}
        self.assertEqual(told(found), faults, result.stderr)
        self.assertGreater(len({kind for kind, _ in faults}), 20)
        self.assertEqual(harness.figures_that_differ(run), [])
        errors = {(row["function"], row["error"]) for row in found if row["kind"] == "error_returned"}
        self.assertIn(("MPI_Comm_get_name", "MPI_ERR_COMM"), errors)
        self.assertEqual(("MPI_Waitall", "MPI_ERR_TRUNCATE") in errors, "the error is in the status" in result.stdout)
        checked = harness.run([harness.COMMAND, "check", run])
        self.assertRegex(checked.stdout, r"(?m)^MPI_Irecv on MPI_COMM_SELF at .*misuse.c:\d+, rank 0: it writes to 16 bytes of the buffer of a pending "
                                         r"operation at .*misuse.c:\d+ \(MPI 4.1, 3.7.2, 14.4.1\)$")

    def test_wrong_handles_requests_groups_and_sizes_are_found(self):
        for program, part, kinds in ("misuse", "handles", 20), ("misuse", "sizes", 9), ("misuse_pieces", "wrong", 11), *((program, "wrong", 0) for program in VARIABLES[:2] + FORTRAN):
            with self.subTest(f"{program} {part}"):
                result, run, found = self.record(part, program=program)
                faults = {tuple(line.split()[1:]) for line in result.stdout.splitlines() if line.startswith("fault ")}
                self.assertEqual(told(found), faults, result.stderr)
                self.assertGreater(len({kind for kind, _ in faults}), kinds)

    @unittest.skipUnless(os.path.exists(os.path.join(harness.PROGRAMS, "sessions")), "this MPI has no sessions")
    def test_programs_of_sessions_alone_are_checked(self):
        for program in "sessions", "sessions_self":
            with self.subTest(program):
                result, run, found = self.record("", program=program)
                self.assertEqual((result.code, found), (0, []), result.stderr)

    def test_threads_that_may_not_call_are_found(self):
        levels = (("funneled", {"thread_level"}, 1), ("serialized", {"concurrent_calls"}, 1), ("multiple", {"concurrent_collectives", "concurrent_completion", "stolen_message"}, 2))
        for level, kinds, ranks in levels:
            with self.subTest(level):
                result, run, found = self.record(level, ranks=ranks, program="misuse_threads")
                faults = {tuple(line.split()[1:]) for line in result.stdout.splitlines() if line.startswith("fault ")}
                self.assertEqual(result.code, 0, result.stderr)
                self.assertEqual({each for each in told(found) if each[0] in set().union(*(kinds for _, kinds, _ in levels))}, faults, result.stderr)
                if "provided" not in result.stdout:  # the MPI provides another level
                    self.assertEqual({each[0] for each in faults} | ({"concurrent_completion"} & kinds if harness.FLAVOUR == "mpich" else set()), kinds)

    def test_requests_of_several_threads_may_have_the_same_handle_in_turn(self):
        result, run, found = self.record("", ranks=1, program="own_buffers")
        self.assertEqual((result.code, found), (0, []), result.stderr)

    def check_conflicts(self, program, ranks, lines):
        """Three random programs, which print the faults that they make at so many lines."""
        conflicts = 0
        for seed in range(1, 4):
            with self.subTest(seed):
                result, run, found = self.record(seed, ranks=ranks, program=program)
                faults = {tuple(line.split()[1:]) for line in result.stdout.splitlines() if line.startswith("fault ")}
                self.assertEqual((result.code, told(found)), (0, faults), result.stderr)
                conflicts += len(faults)
        self.assertTrue(0 < conflicts < 3 * lines, conflicts)

    def test_buffers_that_conflict_with_pending_ones_are_found_among_many(self):
        self.check_conflicts("pending_buffers", 1, 11)

    def test_accesses_that_conflict_with_pending_ones_are_found_among_many(self):
        self.check_conflicts("pending_accesses", 2, 6)  # at three lines, with the target and with an origin

    def test_only_what_costs_nothing_is_checked_by_default(self):
        kinds = {kind for kind, _ in told(self.record("wrong", "tell")[2])}
        self.assertEqual(kinds - {"freed_handle"}, {"never_completed", "never_closed", "request_freed"})  # what is freed may be certain

    def test_the_first_wrong_call_ends_the_program_on_request(self):
        result, run, found = self.record("wrong", "stop", ranks=0)  # launchers lose what an aborted rank has written
        self.assertNotEqual(result.code, 0)
        self.assertIn("MPI_Bcast is called wrongly, and CALLSIGN_CHECK=stop ends the program", result.stderr)
        self.assertEqual({row["kind"] for row in found}, {"invalid_root"})


if __name__ == "__main__":
    unittest.main()
