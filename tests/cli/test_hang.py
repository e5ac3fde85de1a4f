"""callsign hang on synthetic traces: the command, and what it says of many ranks, of cycles and of hostile names."""
import os
import unittest

import fixture
from support import COMMAND, CommandTest, bounded

PAGE_LINES = 60
REPORT_SECONDS = 20  # it takes two

EVERYBODY = "DELETE FROM thread; DELETE FROM process WHERE rank > 3; UPDATE process SET world_size = 4, outcome = 'running'; " \
            "DELETE FROM object WHERE rank > 3; DELETE FROM communicator WHERE rank > 3; UPDATE communicator SET size = 4 WHERE object = 1; DELETE FROM site;"


THREAD = "INSERT INTO thread (rank, thread, tid, threads, state, function, object, peer, tag, bytes, site, since_ns, until_ns, calls, mpi_ns, transfer)"


def inside(rank, function, on, peer="NULL", tag="NULL", since=10, thread=0, transfer="NULL"):
    return f"{THREAD} VALUES ({rank}, {thread}, 9, 1, 'inside', {function}, {on}, {peer}, {tag}, NULL, NULL, {since} * 1000000000, 1, 1, 1, {transfer});"


RECV, SEND, BARRIER, WAIT, BCAST, SENDRECV = 1, 2, 3, 4, 7, 14
WORLD, ROWS, COLS = 1, 3, 4


class Hang(CommandTest):
    traces = 0

    def hang(self, *more, base=EVERYBODY):
        self.traces += 1
        trace = fixture.make_case(self.folder / f"{self.traces}.db", "waits", base, *more)
        done = bounded.run([COMMAND, "hang", trace], REPORT_SECONDS, capture_output=True, text=True, env=self.environment())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()

    def test_cycle_over_two_communicators_is_a_deadlock(self):
        lines = self.hang(inside(0, RECV, ROWS, 1, 7), inside(1, RECV, COLS, 1, 8), inside(3, SEND, ROWS, 0, 9), inside(2, BARRIER, COLS))
        self.assertEqual(lines, [
            "4 ranks: 4 in a call of MPI",
            "Deadlock: ranks 0-3 wait for each other",
            "  0 waits for 1: MPI_Recv on rows from rank 1, tag 7, for 50.0 s",
            "  1 waits for 3: MPI_Recv on cols from rank 3 (rank 1 there), tag 8, for 50.0 s",
            "  3 waits for 2: MPI_Send on rows to rank 2 (rank 0 there), tag 9, for 50.0 s",
            "  2 waits for 0: MPI_Barrier on cols, which 0 is not in, for 50.0 s",
            "MPI_Barrier on cols: rank 2 is in it, 1 of 2 members, for 50.0 s",
            "  missing: rank 0, in MPI_Recv on rows from rank 1, tag 7, for 50.0 s"])

    def test_cycle_that_has_not_lasted_may_pass(self):
        lines = self.hang(inside(0, RECV, ROWS, 1, 7), inside(1, RECV, ROWS, 0, 8, since=59.5))
        self.assertEqual(lines[1], "A circle that may pass: ranks 0,1 wait for each other since less than a second. Ask again")

    def test_message_on_its_way_is_no_deadlock(self):
        for first, second in (((SEND, 1, 7), (RECV, 0, 7)), ((SEND, 1, 7), (RECV, 0, -1)), ((SENDRECV, 1, 7), (SENDRECV, 0, 7))):
            lines = self.hang(inside(0, first[0], ROWS, *first[1:]), inside(1, second[0], ROWS, *second[1:]))
            self.assertFalse([line for line in lines if "eadlock" in line or "ircle" in line], lines)

    def test_other_tag_or_communicator_is_a_deadlock(self):
        for second in ((RECV, ROWS, 0, 8), (SEND, ROWS, 0, 7), (RECV, WORLD, 0, 7)):
            lines = self.hang(inside(0, SEND, ROWS, 1, 7), inside(1, *second))
            self.assertEqual(lines[1], "Deadlock: ranks 0,1 wait for each other")

    def test_requests_whose_direction_is_not_known_are_said_to_be(self):
        lines = self.hang(inside(0, WAIT, ROWS, 1, 7), inside(1, WAIT, ROWS, 0, 7))
        self.assertEqual(lines[1], "Perhaps a deadlock: ranks 0,1 wait for each other, unless one of the requests is the message that the other expects")

    def test_wait_whose_request_is_known_says_from_whom(self):
        receive, send = "'receive'", "'send'"
        lines = self.hang(inside(0, WAIT, ROWS, 1, 7, transfer=receive), inside(1, WAIT, ROWS, 0, 7, transfer=receive))
        self.assertEqual(lines[1:3], ["Deadlock: ranks 0,1 wait for each other", "  0 waits for 1: MPI_Wait on rows from rank 1, tag 7, for 50.0 s"])
        lines = self.hang(inside(0, WAIT, ROWS, 1, 7, transfer=send), inside(1, WAIT, ROWS, 0, 7, transfer=receive))
        self.assertFalse([line for line in lines if "eadlock" in line or "ircle" in line], lines)
        self.assertIn("Rank 0 is in MPI_Wait on rows to rank 1, tag 7, for 50.0 s", lines)

    def test_receive_from_any_rank_is_on_no_cycle(self):
        lines = self.hang(inside(0, RECV, ROWS, -1, -1), inside(1, RECV, ROWS, 0, 8))
        self.assertEqual(lines, ["4 ranks: 2 in a call of MPI, 2 outside MPI",
                                 "Rank 0 is in MPI_Recv on rows from any rank, any tag, for 50.0 s",
                                 "Rank 1 is in MPI_Recv on rows from rank 0, tag 8, for 50.0 s",
                                 "Ranks 2,3 are outside MPI"])

    def test_another_thread_may_still_end_a_cycle(self):
        other = f"{THREAD} VALUES (0, 1, 9, 1, 'outside', 2, 3, 1, 1, NULL, NULL, 5000000000, 6000000000, 1, 1, NULL);"
        lines = self.hang(inside(0, RECV, ROWS, 1, 7), inside(1, RECV, ROWS, 0, 8), other)
        self.assertFalse([line for line in lines if "eadlock" in line], lines)

    def test_rank_that_waits_for_one_that_is_gone_says_so(self):
        lines = self.hang(inside(0, RECV, ROWS, 1, 7), "UPDATE process SET outcome = 'died' WHERE rank = 1")
        self.assertIn("Rank 0 is in MPI_Recv on rows from rank 1, which died, tag 7, for 50.0 s", lines)
        self.assertIn("Rank 1 died outside MPI", lines)

    def test_rank_elsewhere_that_may_be_dead_is_shown_where_it_was_and_said_to_be_uncertain(self):
        silent = "UPDATE process SET node = 'far' WHERE rank > 1; INSERT INTO meta VALUES (2, 'journal.still_s', '851'), (3, 'journal.still_s', '1200')"
        lines = self.hang(*(inside(rank, BARRIER, WORLD) for rank in (0, 1, 2)), inside(3, RECV, WORLD, 0, 7), silent)
        self.assertEqual(lines[1], "Ranks 2,3 on far are not known to be alive: their journals were last written 14 min 11 s to 20 min 00 s ago. Ask on far to know")
        self.assertEqual(lines[2], "Deadlock: ranks 0,3 wait for each other")

    def test_root_that_does_not_come_is_missing(self):
        lines = self.hang(*(inside(rank, BCAST, WORLD, 0) for rank in (1, 2, 3)), inside(0, RECV, ROWS, 1, 7))
        self.assertEqual(lines[1:4], ["Deadlock: ranks 0,1 wait for each other",
                                      "  0 waits for 1: MPI_Recv on rows from rank 1, tag 7, for 50.0 s",
                                      "  1 waits for 0: MPI_Bcast on MPI_COMM_WORLD, root rank 0, which 0 is not in, for 50.0 s"])

    def test_collective_that_all_are_in_is_under_way(self):
        lines = self.hang(*(inside(rank, BARRIER, WORLD) for rank in range(4)))
        self.assertEqual(lines, ["4 ranks: 4 in a call of MPI",
                                 "MPI_Barrier on MPI_COMM_WORLD: ranks 0-3 are in it, 4 of 4 members, for 50.0 s",
                                 "  nobody is missing: it is under way"])

    def test_members_without_a_journal_are_said_to_be_unknown(self):
        lines = self.hang(inside(0, BARRIER, ROWS), "DELETE FROM process WHERE rank = 1; DELETE FROM object WHERE rank = 1; DELETE FROM communicator WHERE rank = 1")
        self.assertEqual(lines[2], "  of the others no journal is here")

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
            """, *(f"{ranks} {THREAD} SELECT n, 0, 1, 1, 'inside', {what} FROM n {where};" for what, where in more))

    def test_barrier_of_1024_ranks_fits_two_lines(self):
        lines = self.many(("3, 1, NULL, NULL, NULL, NULL, 10000000000, 1, 1, 1, NULL", "WHERE n <> 512"))
        self.assertEqual(lines, ["1024 ranks: 1023 in a call of MPI, 1 outside MPI",
                                 "MPI_Barrier on MPI_COMM_WORLD: ranks 0-511,513-1023 are in it, 1023 of 1024 members, for 50.0 s",
                                 "  missing: rank 512, outside MPI"])

    def test_ring_of_1024_ranks_fits_a_page(self):
        lines = self.many(("1, 1, (n + 1) % 1024, n, NULL, NULL, 10000000000, 1, 1, 1, NULL", ""))
        self.assertLessEqual(len(lines), PAGE_LINES)
        self.assertEqual(lines[1], "Deadlock: ranks 0-1023 wait for each other")
        self.assertEqual(lines[10], "  and 1016 more, round to the first")

    def test_1024_ranks_in_different_calls_fit_a_page(self):
        lines = self.many(("3, 3, NULL, NULL, NULL, NULL, 10000000000, 1, 1, 1, NULL", "WHERE n % 32 < 9"),
                          ("1, 3, n % 32 - 1, n, NULL, NULL, 10000000000 + n, 1, 1, 1, NULL", "WHERE n % 32 BETWEEN 9 AND 20"),
                          ("7, 1, 0, NULL, NULL, NULL, 10000000000 + n, 1, 1, 1, NULL", "WHERE n % 32 > 20"))
        self.assertLessEqual(len(lines), PAGE_LINES)
        self.assertIn("and 28 more collective calls: view missing", lines)

    def test_newest_run_here_is_asked(self):
        for name, when in (("a", 1000), ("b", 3000), ("c", 2000)):
            folder = self.folder / f"{name}.callsign"
            folder.mkdir()
            fixture.make_trace(folder / "rank-00000.db", 0, 1)
            os.utime(folder, (when, when))
        self.assertEqual(self.answer("hang").splitlines(), ["b.callsign", "Nobody waits: the only rank finalized"])

    def test_without_a_run_one_line_says_what_to_do(self):
        self.refuse("hang", saying="there is no run (*.callsign) in the current folder; name one")
        self.refuse("hang", "nothing.callsign", saying="nothing.callsign")
        self.refuse("hang", "a", "b", code=2, saying="one run at a time")


if __name__ == "__main__":
    unittest.main()
