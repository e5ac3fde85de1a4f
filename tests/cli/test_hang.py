"""callsign hang on synthetic traces: what is a deadlock and what is none, and what it says of many ranks and of hostile names."""
import re
import unittest

import fixture
from support import COMMAND, SANITIZED, CommandTest, bounded

PAGE_LINES = 60
REPORT_SECONDS = 20  # it takes two

DEADLOCK, ACCUSATIONS = "Deadlock: {}", ("Deadlock:", "Probable deadlock:")

EVERYBODY = "DELETE FROM thread; DELETE FROM process WHERE rank > 3; UPDATE process SET world_size = 4, outcome = 'running'; " \
            "DELETE FROM object WHERE rank > 3; DELETE FROM communicator WHERE rank > 3; UPDATE communicator SET size = 4 WHERE object = 1; DELETE FROM site;"


SEND, SSEND, RECV, IRECV, ISEND, SENDRECV, PROBE, PSEND_INIT = 1000, 1004, 1016, 1018, 1008, 1020, 1028, 3014
WAIT, WAITANY, WAITALL, TEST = 2000, 2002, 2004, 2008
BARRIER, BCAST, REDUCE, ALLREDUCE, SCAN, IALLREDUCE, LOCK, UNLOCK, FINALIZE, COMM_DUP = 4000, 4002, 4022, 4024, 4030, 5024, 8054, 8058, 22006, 10006
WIN_START, WIN_WAIT = 8044, 8050
WORLD, ROWS, COLS, WINDOW = 1, 3, 4, 5
ANY = -1


def insert(table, **columns):
    values = ", ".join("NULL" if value is None else repr(value) for value in columns.values())
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values});"


def inside(rank, function, on=None, peer=None, tag=None, since=10, thread=0, state="inside", **more):
    """A thread in a call; of a collective call, `number` is its number, which the rank has begun then."""
    number = more.pop("number", None)
    if number:
        more["collective"] = number
    row = insert("thread", rank=rank, thread=thread, tid=9, threads=1, state=state, function=function, object=on, peer=peer, tag=tag,
                 since_ns=since * 10**9, until_ns=1, calls=1, mpi_ns=1, **more)
    return row + (begun(rank, on, number, function, peer) if number else "")


def begun(rank, on, number, function=BARRIER, root=None):
    return f"INSERT OR REPLACE INTO collective (rank, object, begun, function, root, hash, data_hash) VALUES ({rank}, {on}, {number}, {function}, {'NULL' if root is None else root}, 0, 0);"


def request(rank, function, on, peer, tag=7, thread=0, number=0, **more):
    transfer = {IRECV: "receive", ISEND: "send", PSEND_INIT: "send"}.get(function)
    return insert("active_request", rank=rank, request=number, object=on, function=function, transfer=transfer, peer=peer, tag=tag,
                  persistent=int(function == PSEND_INIT), copies=1, thread=thread, **more)


def sent(rank, on, peer, messages=1, tag=None, direction="send"):
    row = insert("traffic", rank=rank, object=on, direction=direction, peer=peer, messages=messages, bytes=4, time_ns=1)
    return row if tag is None else row + insert("tag", rank=rank, communicator=on, direction=direction, tag=tag, last_tag=tag, largest_tag=tag, site=0,
                                                messages=messages, types=0, untyped=0)


class Hang(CommandTest):
    traces = 0

    def hang(self, *more, base=EVERYBODY):
        self.traces += 1
        trace = fixture.make_case(self.folder / f"{self.traces}.db", "waits", base, *more)
        done = bounded.run([COMMAND, "hang", trace], REPORT_SECONDS, capture_output=True, text=True, env=self.environment())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()

    def is_deadlock(self, ranks, *more):
        lines = self.hang(*more)
        self.assertIn(DEADLOCK.format(ranks), lines)
        if self.asks_findings():
            self.assertIn(ranks.split()[1], self.findings())
        return lines

    def asks_findings(self):
        return self.traces == 1 or not SANITIZED

    def is_none(self, *more):
        lines = self.hang(*more)
        self.assertFalse([line for line in lines if line.startswith(ACCUSATIONS)], lines)
        if self.asks_findings():
            self.assertEqual(self.findings(), [])
        return lines

    def findings(self):
        """The ranks of each deadlock in the overview's findings on the run that was asked last."""
        done = bounded.run([COMMAND, "report", self.folder / f"{self.traces}.db", "verdict"], REPORT_SECONDS, capture_output=True, text=True,
                           env=self.environment())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return re.findall(r"(?m)^Deadlock: ranks? (\S+) wait", done.stdout)

    # ---- messages ----

    def test_cycle_over_two_communicators_is_a_deadlock(self):
        lines = self.hang(inside(0, RECV, ROWS, 1, 7), inside(1, RECV, COLS, 1, 8), inside(3, SEND, ROWS, 0, 9), inside(2, BARRIER, COLS, number=4),
                          begun(0, COLS, 3))
        self.shows("hang", lines)
        self.assertEqual(self.findings(), ["0-3"])
        self.shows("verdict", self.answer("report", f"{self.traces}.db", "verdict"))
        overview = self.answer("report", f"{self.traces}.db").splitlines()
        self.assertTrue(overview[1].startswith("Deadlock: "), overview)  # before the lines about each rank
        self.assertEqual(sum(line.startswith("Deadlock: ") for line in overview), 1)

    def test_true_waits_stand_beside_a_deadlock(self):
        """Rank 2 enters four seconds late; a wait of some milliseconds is no finding, nor is a rank late by calls that never return."""
        cycle = inside(0, RECV, ROWS, 1, 7), inside(1, RECV, COLS, 1, 8), inside(3, SEND, ROWS, 0, 9), inside(2, BARRIER, COLS, number=4), begun(0, COLS, 3)
        for late, found in ((4_000_000_000, ["Ranks 0,1,3 wait"]), (4_000_000, [])):
            events = "".join(insert("event", rank=rank, thread=0, event=1, function=ALLREDUCE, object=WORLD, site=0, start_ns=10**9 + (late if rank == 2 else 0),
                                    duration_ns=1000 if rank == 2 else late + 1000, calls=1, bytes=8, collective=1) for rank in range(4))
            self.hang(*cycle, insert("function", function=ALLREDUCE, name="MPI_Allreduce"), events)
            lines = self.answer("report", f"{self.traces}.db", "verdict").splitlines()
            self.assertEqual([line[:16] for line in lines if " late" in line or "enters last" in line or " wait " in line[:18]], found, lines)

    def test_calls_that_were_not_seen_together_prove_nothing(self):
        self.is_none(inside(0, RECV, ROWS, 1, 7), inside(1, RECV, ROWS, 0, 8, since=59.5))

    def test_message_on_its_way_is_no_deadlock(self):
        for first, second in (((SEND, 1, 7), (RECV, 0, 7)), ((SEND, 1, 7), (RECV, 0, ANY)), ((SEND, 1, 7), (RECV, ANY, 7)), ((SEND, 1, 7), (PROBE, 0, 7))):
            self.is_none(inside(0, first[0], ROWS, *first[1:]), inside(1, second[0], ROWS, *second[1:]))
        self.is_none(*(inside(rank, SENDRECV, ROWS, 1 - rank, 7, source=1 - rank, source_tag=7) for rank in (0, 1)))

    def test_other_tag_or_communicator_is_a_deadlock(self):
        for second in ((RECV, ROWS, 0, 8), (SEND, ROWS, 0, 7), (RECV, WORLD, 0, 7)):
            self.is_deadlock("ranks 0,1 wait for each other", inside(0, SEND, ROWS, 1, 7), inside(1, *second))

    def test_message_that_was_sent_is_not_waited_for(self):
        cycle = inside(0, RECV, ROWS, 1, 7), inside(1, RECV, ROWS, 0, 8)
        self.is_none(*cycle, sent(0, ROWS, 1, 3, tag=8), sent(1, ROWS, 0, 2, direction="receive"))
        self.is_deadlock("ranks 0,1 wait for each other", *cycle, sent(0, ROWS, 1, 3, tag=8), sent(1, ROWS, 0, 3, direction="receive"))

    def test_message_of_another_tag_does_not_help(self):
        lines = self.is_deadlock("ranks 0,1 wait for each other", inside(0, RECV, ROWS, 1, 7), inside(1, RECV, ROWS, 0, 8), sent(0, ROWS, 1, 1, tag=9))
        self.shows("hang", lines)

    def test_accounts_that_are_not_whole_prove_nothing(self):
        cycle = inside(0, RECV, ROWS, 1, 7), inside(1, RECV, ROWS, 0, 8)
        for change in ("UPDATE process SET lost = 1 WHERE rank = 0", "INSERT INTO pcontrol VALUES (1, 5, 0)", sent(0, ROWS, -4)):
            self.is_none(*cycle, change)

    def test_large_messages_whose_receives_are_pending_are_under_way(self):
        sends = [inside(rank, SEND, ROWS, 1 - rank, 7) for rank in (0, 1)]
        self.is_none(*sends, *(request(rank, IRECV, ROWS, 1 - rank, thread=None) for rank in (0, 1)))
        self.is_deadlock("ranks 0,1 wait for each other", *sends, *(request(rank, IRECV, ROWS, 1 - rank, tag=8, thread=None) for rank in (0, 1)))

    def test_waitall_waits_for_the_request_that_was_not_given(self):
        """Rank 1 has sent and waits for rank 0; rank 2 computes."""
        several = (inside(0, WAITALL, WORLD, 1, 7, awaited=2), request(0, IRECV, WORLD, 1, number=1), request(0, IRECV, WORLD, 2, number=2),
                   inside(1, RECV, WORLD, 0, 8), sent(1, WORLD, 0, 1, tag=7))
        lines = self.is_none(*several)
        self.shows("hang", lines)
        lines = self.is_deadlock("ranks 0,2 wait for each other", *several, inside(2, RECV, WORLD, 0, 9))
        self.shows("hang", lines, "2")

    def test_choice_of_requests_is_stuck_with_all_of_them(self):
        choice = inside(0, WAITANY, WORLD, 1, 7, awaited=2), request(0, IRECV, WORLD, 1, number=1), request(0, IRECV, WORLD, 2, number=2), inside(1, RECV, WORLD, 0, 8)
        self.is_none(*choice)
        self.is_deadlock("ranks 0-2 wait for each other", *choice, inside(2, RECV, WORLD, 0, 9))

    def test_receive_from_any_rank_is_stuck_with_all_of_them(self):
        self.is_none(inside(0, RECV, WORLD, ANY, ANY), inside(1, RECV, WORLD, 0, 8), inside(2, RECV, WORLD, 0, 8))
        self.is_deadlock("ranks 0-3 wait for each other", inside(0, RECV, WORLD, ANY, ANY), *(inside(rank, RECV, WORLD, 0, 8) for rank in (1, 2, 3)))

    def test_call_that_returns_at_once_is_no_wait(self):
        self.is_none(inside(0, TEST, ROWS, 1, 7), inside(1, RECV, ROWS, 0, 8))

    def test_another_thread_may_still_end_a_cycle(self):
        cycle = inside(0, RECV, ROWS, 1, 7), inside(1, RECV, ROWS, 0, 8)
        self.is_none(*cycle, inside(0, SEND, ROWS, 1, 1, thread=1, state="outside"))
        lines = self.is_none(*cycle, "UPDATE process SET thread_level = 'MPI_THREAD_MULTIPLE' WHERE rank = 1")
        self.shows("hang", lines)

    def test_call_of_a_callback_is_what_a_rank_waits_in(self):
        lines = self.is_deadlock("ranks 0,1 wait for each other", *(inside(rank, COMM_DUP, ROWS, number=2, inner_function=RECV, inner_object=WORLD, inner_peer=1 - rank,
                                                                           inner_tag=3, inner_since_ns=20 * 10**9) for rank in (0, 1)))
        self.shows("hang", lines)

    def test_what_calls_past_callsign_may_have_done_is_not_claimed(self):
        past = "INSERT INTO meta VALUES (1, 'may_bypass', '/opt/app'), (1, 'may_bypass.functions', 'PMPI_Barrier:PMPI_Pready');"
        self.is_none(past, inside(1, WAIT, ROWS, 0, 7, awaited=1), request(1, PSEND_INIT, ROWS, 0, partitions=4, ready=3))
        self.is_none(past, f"INSERT INTO window_lock VALUES (1, {WINDOW}, 1, 1);", inside(1, RECV, ROWS, 0, 7), inside(0, LOCK, WINDOW, 1))
        lines = self.is_none(past, *(inside(rank, BARRIER, WORLD, number=3) for rank in (0, 2)), inside(3, RECV, WORLD, 1, 7))
        self.shows("hang", lines)
        lines = self.is_none(past, *(inside(rank, BARRIER, WORLD, number=3) for rank in (1, 2)), inside(3, RECV, WORLD, 1, 7))
        self.shows("hang", lines, "2")

    def test_partition_that_was_not_made_ready_is_waited_for(self):
        lines = self.is_deadlock("rank 0 waits for itself", inside(0, WAIT, ROWS, 1, 7, awaited=1), request(0, PSEND_INIT, ROWS, 1, partitions=4, ready=3))
        self.shows("hang", lines)
        self.is_none(inside(0, WAIT, ROWS, 1, 7, awaited=1), request(0, PSEND_INIT, ROWS, 1, partitions=4, ready=4))

    # ---- ends ----

    def test_rank_that_waits_for_one_that_is_gone_says_so(self):
        lines = self.is_none(inside(0, RECV, ROWS, 1, 7), "UPDATE process SET outcome = 'died' WHERE rank = 1")
        self.shows("hang", lines)

    def test_job_that_is_dead_had_no_proven_deadlock(self):
        lines = self.is_none(inside(0, RECV, ROWS, 1, 7), inside(1, RECV, ROWS, 0, 8), "UPDATE process SET outcome = 'died'")
        self.shows("hang", lines)

    def test_job_that_was_ended_from_outside_had_the_deadlock_that_its_last_state_proves(self):
        def ended(**job):
            told = {"exit_code": 1, "received_ns": 0, "began_utc_ns": 10**18 - 10**9, "ended_utc_ns": 10**18 + 60 * 10**9, "ran_ns": 61 * 10**9, "pid": 4711,
                    "command": "mpirun -n 4 solve", **job}
            rows = "".join(insert("meta", rank=0, key=f"job.{key}", value=str(value)) for key, value in told.items())
            return "UPDATE process SET outcome = 'died', zero_utc_ns = 1000000000000000000; INSERT OR REPLACE INTO meta VALUES (0, 'mpi', 'MPICH 4.0.2');" + rows

        circle, killed = (inside(0, RECV, ROWS, 1, 7), inside(1, RECV, ROWS, 0, 8)), ended(received="SIGTERM", received_ns=56 * 10**9)
        self.shows("hang", self.is_deadlock("ranks 0,1 wait for each other", *circle, killed))
        for limit in ({"exit_code": 255}, {"exit_code": 143, "as_after": "SIGTERM"}, {"exit_code": 124, "command": "timeout 60 mpirun solve"}):
            self.is_deadlock("ranks 0,1 wait for each other", *circle, ended(**limit))
        for other in ({}, {"exit_code": 139, "as_after": "SIGSEGV"}, {"exit_code": 9}, {"exit_code": 124}, {"exit_code": 255, "command": "sh run.sh"}):
            self.is_none(*circle, ended(**other))
        self.is_none(*circle, killed, "INSERT INTO failed_call (rank, at_ns, function, error) VALUES (0, 1, 1016, 'MPI_ERR_OTHER')")
        self.is_none(*circle, killed, "UPDATE process SET damaged = 1 WHERE rank = 0")
        self.is_none(*circle, killed, "INSERT INTO meta VALUES (1, 'journal.writer', 'unknown')")
        self.is_none(inside(0, RECV, ROWS, 1, 7, since=54.5), inside(1, RECV, ROWS, 0, 8), killed)
        self.is_none(inside(0, RECV, ROWS, 1, 7), killed, "UPDATE process SET outcome = 'exited' WHERE rank = 1")

    def test_rank_elsewhere_that_may_be_dead_is_shown_where_it_was_and_said_to_be_uncertain(self):
        silent = "UPDATE process SET node = 'far' WHERE rank > 1; INSERT INTO meta VALUES (2, 'journal.still_s', '851'), (3, 'journal.still_s', '1200')"
        lines = self.hang(*(inside(rank, BARRIER, WORLD, number=5) for rank in (0, 1, 2)), inside(3, RECV, WORLD, 0, 7), silent)
        self.shows("hang", lines)

    # ---- collective calls ----

    def test_root_that_does_not_come_is_missing(self):
        lines = self.hang(*(inside(rank, BCAST, WORLD, 0, number=1) for rank in (1, 2, 3)), inside(0, RECV, ROWS, 1, 7))
        self.shows("hang", lines)

    def test_member_that_has_left_the_call_is_not_missing(self):
        """Reduce, then Bcast, while rank 2 computes."""
        lines = self.is_none(inside(0, REDUCE, WORLD, 0, number=1), *(inside(rank, BCAST, WORLD, 0, number=2) for rank in (1, 3)))
        self.shows("hang", lines)
        self.assertFalse([line for line in lines if "missing: rank 1" in line], lines)

    def test_member_that_computes_inside_the_call_is_not_missing(self):
        lines = self.is_none(*(inside(rank, BARRIER, WORLD, number=2) for rank in (0, 2, 3)), inside(1, ALLREDUCE, WORLD, number=1))
        self.shows("hang", lines)

    def test_calls_that_do_not_match_are_told(self):
        lines = self.is_deadlock("ranks 0-3 wait for each other", *(inside(rank, BARRIER, WORLD, number=3) for rank in (0, 1)),
                                 *(inside(rank, ALLREDUCE, WORLD, number=3) for rank in (2, 3)))
        self.shows("hang", lines)

    def test_roots_that_differ_are_told(self):
        lines = self.is_deadlock("ranks 0,1 wait for each other", *(inside(rank, BCAST, ROWS, 1 - rank, number=3) for rank in (0, 1)))
        self.shows("hang", lines)

    def test_wait_for_a_collective_call_waits_for_its_members(self):
        lines = self.is_deadlock("ranks 0,1 wait for each other", inside(0, WAIT, ROWS, awaited=1), request(0, IALLREDUCE, ROWS, None, None, collective=2),
                                 begun(0, ROWS, 2, IALLREDUCE), inside(1, RECV, ROWS, 0, 7), begun(1, ROWS, 1))
        self.shows("hang", lines)
        self.is_none(inside(0, WAIT, ROWS, awaited=1), request(0, IALLREDUCE, ROWS, None, None, collective=2), begun(0, ROWS, 2, IALLREDUCE),
                     inside(1, RECV, ROWS, 0, 7), begun(1, ROWS, 2, IALLREDUCE))

    def test_scan_waits_for_lower_ranks(self):
        scan = [inside(rank, SCAN, WORLD, number=1) for rank in (1, 2, 3)]
        self.is_deadlock("ranks 0,1 wait for each other", *scan, inside(0, RECV, WORLD, 1, 7))
        self.is_none(inside(0, SCAN, WORLD, number=1), inside(1, SCAN, WORLD, number=1), inside(2, RECV, WORLD, 0, 7))

    def test_lock_that_another_rank_holds_is_waited_for(self):
        held = "INSERT INTO window_lock VALUES (0, 5, 1, 1);"
        lines = self.is_deadlock("ranks 0,1 wait for each other", held, inside(0, RECV, ROWS, 1, 7), inside(1, LOCK, WINDOW, 1))
        self.shows("hang", lines)
        self.is_none(inside(0, RECV, ROWS, 1, 7), inside(1, LOCK, WINDOW, 1))

    def test_lock_that_an_mpi_takes_late_is_held_by_nobody_who_waits_for_it(self):
        """Open MPI's pt2pt: MPI_Win_lock returns without the lock, and MPI_Win_unlock waits for it. Rank 1 has it and computes."""
        held = "".join(f"INSERT INTO window_lock VALUES ({rank}, 5, 1, 1);" for rank in (0, 1))
        self.is_none(held, inside(0, UNLOCK, WINDOW, 1), inside(1, UNLOCK, WINDOW, 1))
        self.is_none(held, inside(0, UNLOCK, WINDOW, 1), inside(1, RECV, WORLD, 2, 7), inside(2, BARRIER, COLS, number=1, state="outside"))
        lines = self.is_deadlock("ranks 0,1 wait for each other", held, inside(0, UNLOCK, WINDOW, 1), inside(1, RECV, ROWS, 0, 7))
        self.assertTrue([line for line in lines if "which holds a lock on it" in line], lines)

    def test_lock_that_one_can_hold_is_never_held_by_two(self):
        wide = f"UPDATE object SET uid = 730 WHERE object = {WINDOW}; UPDATE window SET communicator = {WORLD};"
        waits = [inside(rank, RECV, WORLD, 0, 7) for rank in (1, 2, 3)]
        for exclusive, held in ((0, ["0 (pid 100 on node) waits for 2,3: MPI_Win_lock on ghosts at rank 1, which hold locks on it, for 50.0 s"]), (1, [])):
            locks = "".join(f"INSERT INTO window_lock VALUES ({rank}, {WINDOW}, 1, {exclusive});" for rank in (2, 3))
            lines = self.hang(wide, locks, inside(0, LOCK, WINDOW, 1), *waits)
            self.assertEqual([line.strip() for line in lines if "hold" in line], held, lines)

    def test_epoch_waits_for_the_other_side(self):
        starts = "INSERT INTO window_epoch VALUES (0, 5, 1, 3, 2, 0, 0, 0), (1, 5, 0, 0, 0, 2, 2, 0);"
        lines = self.is_deadlock("ranks 0,1 wait for each other", starts, inside(0, WIN_START, WINDOW), inside(1, RECV, ROWS, 0, 7))
        self.assertIn("but rank 1 has not called MPI_Win_post", "\n".join(lines))
        self.is_none(starts.replace("0, 2, 2", "0, 3, 2"), inside(0, WIN_START, WINDOW), inside(1, RECV, ROWS, 0, 7))
        posts = "INSERT INTO window_epoch VALUES (0, 5, 1, 0, 0, 1, 0, 0);"
        lines = self.is_deadlock("ranks 0,1 wait for each other", posts, inside(0, WIN_WAIT, WINDOW), inside(1, RECV, ROWS, 0, 7))
        self.assertIn("but rank 1 has not called MPI_Win_complete", "\n".join(lines))

    def test_collective_that_all_are_in_is_under_way(self):
        lines = self.hang(*(inside(rank, BARRIER, WORLD, number=1) for rank in range(4)))
        self.shows("hang", lines)

    def test_calls_of_one_name_are_told_apart_by_number(self):
        lines = self.is_none(inside(0, BCAST, WORLD, 0, number=3), *(inside(rank, BCAST, WORLD, 0, number=2) for rank in (1, 2)), begun(3, WORLD, 2, BCAST, 0))
        self.shows("hang", lines)

    def test_members_of_another_world_are_no_missing_ranks(self):
        spawned = f"UPDATE communicator SET remote_size = 2 WHERE object = {ROWS}; " \
                  f"UPDATE object SET function = 21000 WHERE object = {ROWS}; INSERT INTO function (function, name, class) VALUES (21000, 'MPI_Comm_spawn', 'process');"
        lines = self.hang(*(inside(rank, BARRIER, ROWS, number=1) for rank in (0, 1)), spawned)
        self.shows("hang", lines)

    def test_run_of_which_a_part_is_recorded_says_so(self):
        part = "DELETE FROM process WHERE rank > 0; UPDATE process SET outcome = "
        self.shows("hang", self.hang(part + "'finalized'") + self.hang(part + "'died'") + self.hang(inside(0, BARRIER, WORLD, number=1), part + "'running'"))

    def test_members_without_a_journal_are_said_to_be_unknown(self):
        lines = self.hang(inside(0, BARRIER, ROWS, number=1), "DELETE FROM process WHERE rank = 1; DELETE FROM object WHERE rank = 1; DELETE FROM communicator WHERE rank = 1")
        self.shows("hang", lines)

    def test_names_are_shown_harmless(self):
        hostile = "UPDATE object SET name = 'rows' || char(27) || '[2J' || char(10) || 'Deadlock: no' WHERE name = 'rows'"
        lines = self.hang(inside(0, RECV, ROWS, 1, 7), inside(1, RECV, ROWS, 0, 8), hostile)
        self.assertFalse([line for line in lines if "\x1b" in line or line.startswith("Deadlock: no")], lines)

    def many(self, *more):
        ranks = "WITH RECURSIVE n (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM n WHERE n < 1023)"
        return self.hang(f"""
            DELETE FROM process; DELETE FROM object; DELETE FROM communicator; DELETE FROM window;
            {ranks} INSERT INTO process (rank, world_size, node, pid, program, clock_offset_ns, began_ns, last_seen_ns, outcome, threads, calls, mpi_ns, lost, damaged)
                SELECT n, 1024, 'node', n, 'p', 0, 0, 60000000000, 'running', 1, 1, 1, 0, 0 FROM n;
            {ranks} INSERT INTO object (rank, object, kind, name, uid, created_ns, internal, predefined, adopted)
                SELECT n, 1, 'communicator', 'MPI_COMM_WORLD', 700, 0, 0, 1, 0 FROM n UNION ALL SELECT n, 3, 'communicator', 'row ' || (n / 32), 1000 + n / 32, 0, 0, 0, 0 FROM n;
            {ranks} INSERT INTO communicator (rank, object, size, own_rank) SELECT n, 1, 1024, n FROM n UNION ALL SELECT n, 3, 32, n % 32 FROM n;
            """, *(f"{ranks} INSERT INTO thread (rank, thread, tid, threads, state, function, object, peer, tag, since_ns, until_ns, calls, mpi_ns, collective)"
                   f" SELECT n, 0, 1, 1, 'inside', {what} FROM n {where};"
                   f"{ranks} INSERT INTO collective (rank, object, begun, function, root, hash, data_hash) SELECT n, {on}, {number}, {function}, NULL, 0, 0 FROM n {where};"
                   for what, where, on, number, function in more))

    def test_barrier_of_1024_ranks_fits_a_few_lines(self):
        lines = self.many((f"{BARRIER}, 1, NULL, NULL, 10000000000, 1, 1, 1, 4", "WHERE n <> 512", 1, 4, BARRIER))
        self.shows("hang", lines)

    def test_ring_of_1024_ranks_fits_a_page(self):
        lines = self.many((f"{RECV}, 1, (n + 1) % 1024, n, 10000000000, 1, 1, 1, NULL", "", 1, 1, BARRIER))
        self.assertLessEqual(len(lines), PAGE_LINES)
        self.shows("hang", lines)

    def test_1024_ranks_in_different_calls_fit_a_page(self):
        lines = self.many((f"{BARRIER}, 3, NULL, NULL, 10000000000, 1, 1, 1, 2", "WHERE n % 32 < 9", 3, 2, BARRIER),
                          (f"{RECV}, 3, n % 32 - 1, n, 10000000000 + n, 1, 1, 1, NULL", "WHERE n % 32 BETWEEN 9 AND 20", 3, 1, BARRIER),
                          (f"{BCAST}, 1, 0, NULL, 10000000000 + n, 1, 1, 1, 2", "WHERE n % 32 > 20", 1, 2, BCAST))
        self.assertLessEqual(len(lines), PAGE_LINES)
        self.shows("hang", lines)

    def test_wrong_arguments(self):
        self.refuse("hang", "nothing.callsign", saying="nothing.callsign")
        self.refuse("hang", "a", "b", code=2, saying="give one run")


if __name__ == "__main__":
    unittest.main()
