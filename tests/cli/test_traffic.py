"""The reports of who talks to whom and with which tags, on the traces of tests/sql."""
import json
import unittest

import fixture
from support import COMMAND, CommandTest, bounded

PAGE_LINES = 60
REPORT_SECONDS = 10  # it takes one


class Envelopes(CommandTest):
    traces = 0

    def trace(self, case, *more):
        self.traces += 1
        return fixture.make_case(self.folder / f"{case}.{self.traces}.db", case, *more)

    def report(self, name, case, *more):
        return self.answer("report", self.trace(case, *more), name).splitlines()

    def limited(self, case, *names):
        """The lines of reports that must not take long."""
        done = bounded.run([COMMAND, "report", self.trace(case), *names], REPORT_SECONDS, capture_output=True, text=True, env=self.environment())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()


class Traffic(Envelopes):
    def test_report_of_four_nodes(self):
        self.assertEqual(self.report("traffic", "traffic_differences"), [
            "8.11 KiB in 82 messages: 25.2 % stays on a node; 50.4 % is on MPI_COMM_WORLD; rank 2 has the most, 2.92 times the mean",
            "To and from MPI_PROC_NULL: 3 messages, 16 B, ranks 0,6",
            "Beyond the first 4096 partners of a thread: 50 messages, 400 B, rank 3",
            "One-sided: put 40 B in 5",
            "2 pairs do not agree, by 2 messages and 16 B: never received",
            "  0 -> 0 on MPI_COMM_WORLD: sent 1, 8 B; received 0, 0 B",
            "  2 -> 0 on row 0: sent 3, 24 B; received 2, 16 B",
            "1 pair does not agree, by 1000 B: longer than the buffers that received them",
            "  0 -> 2 on row 0: sent 4, 3.91 KiB; received 4, 2.93 KiB",
            "1 pair does not agree, by 1 message and 8 B: received, but not seen to be sent",
            "  1 -> 3 on row 1: sent 0, 0 B; received 1, 8 B",
            "1 pair does not agree, by 1 message and 8 B: something is missing in the trace of one of the two",
            "1 pair does not agree, by 2 messages and 16 B: one of the two paused the recording (MPI_Pcontrol)",
            "",
            "Who talks to whom",
            "communicator    count  transfer  pairs  messages     bytes  self %  core %  package %  node %  remote %",
            "──────────────  ─────  ────────  ─────  ────────  ────────  ──────  ──────  ─────────  ──────  ────────",
            "MPI_COMM_WORLD      1  message       9        63  4.09 KiB     0.2    23.9       23.9     1.0      51.1",
            "row #               2  message       3         8  3.94 KiB                                        100.0",
            "adopted             1  message       1         6      48 B           100.0                             ",
            "row 0               1  put           1         5      40 B                                        100.0",
            "",
            "The heaviest pairs:",
            "  0 -> 2 on row 0: 3.91 KiB in 4 messages, remote",
            "  0 -> 1 on MPI_COMM_WORLD: 1000 B in 10 messages, core",
            "  1 -> 2 on MPI_COMM_WORLD: 1000 B in 10 messages, remote",
            "  2 -> 3 on MPI_COMM_WORLD: 1000 B in 10 messages, package",
            "  3 -> 4 on MPI_COMM_WORLD: 1000 B in 10 messages, remote",
            "",
            "Source (lines) and dest (columns). From @, up to 3.95 KiB, to # * + = - : . each a quarter",
            "        0",
            "     0 |=@@     | a",
            "     1 |  #=    |",
            "     2 |+  #    | b",
            "     3 |+   #   |",
            "     4 |     + *| c",
            "     5 |        |",
            "     6 |    +   | d",
            "     7 |        |"])

    def test_accounts_that_agree_are_said_to(self):
        lines = self.report("traffic", "traffic_differences", "DELETE FROM traffic WHERE object > 1 OR peer < 0 OR rank NOT IN (1, 2) OR peer NOT IN (1, 2)")
        self.assertEqual(lines[:2], ["1000 B in 10 messages: none stays on a node; all is on MPI_COMM_WORLD; rank 1 has the most, 4 times the mean",
                                     "Both accounts of the only pair that has two agree"])

    def test_messages_without_data_are_weighed_by_their_number(self):
        lines = self.report("traffic", "traffic_differences", "DELETE FROM traffic WHERE object > 1 OR peer < 0; UPDATE traffic SET bytes = 0")
        self.assertRegex(lines[0], r"^0 B in 63 messages: 41.3 % stays on a node; all is on MPI_COMM_WORLD; ")
        self.assertIn("Source (lines) and dest (columns). From @, up to 10 messages, to # * + = - : . each a quarter", lines)

    def test_a_page_is_enough_for_1024_ranks(self):
        lines = self.limited("traffic_of_1024_ranks", "traffic")
        self.assertLessEqual(len(lines), PAGE_LINES)
        self.assertEqual(lines[:2], ["315 MiB in 318464 messages: 64.4 % stays on a node; all is on grid; all ranks about the same",
                                     "Both accounts agree for all 32768 pairs that have two"])
        self.assertIn("row #            32  message    1024      1024      0 B     3.1               21.9    25.0      50.0", lines)
        self.assertEqual(lines[-33:-31], ["        0       256     512     768", "     0 |@@" + 30 * " " + "|"])
        self.assertEqual(lines[-1], "   992 |@" + 30 * " " + "@|")

    def test_overview_names_what_most_is_on_and_what_did_not_arrive(self):
        text = self.answer("report", self.trace("traffic_differences"))
        self.assertIn("\nPoint-to-point messages and one-sided transfers between ranks: 8.10 KiB, 50.3 % of it on MPI_COMM_WORLD, 25.2 % of it on one node\n", text)
        self.assertIn("\nSent and received do not agree between 4 pairs of ranks, by 3 messages and 1.00 KiB: see the report traffic\n", text)
        self.assertLess(len(self.limited("traffic_of_1024_ranks")), PAGE_LINES)

    def test_members_disagree_on_messages(self):
        lines = self.report("disagree", "traffic_differences")
        self.assertIn("messages  row #               1  sent what did not arrive           0,2", lines)

    def test_map_keeps_its_form_on_a_terminal(self):
        shown = self.on_terminal("report", self.trace("traffic_differences"), "traffic", NO_COLOR="1", COLUMNS="80").decode().splitlines()
        self.assertIn("     1 |  #=    |", shown)

    def test_one_ranks_account_is_compared_with_nothing(self):
        lines = self.report("traffic", "traffic_differences", "DELETE FROM process WHERE rank <> 2; DELETE FROM traffic WHERE rank <> 2")
        self.assertEqual(lines[:2], ["4.91 KiB in 27 messages: how far they went is not known; 60.2 % is on row #", ""])

    def test_table_comes_as_json_with_plain_numbers(self):
        rows = json.loads(self.answer("report", self.trace("traffic_differences"), "traffic", "--format", "json"))
        self.assertEqual([(row["communicator"], row["transfer"], row["pairs"], row["messages"], row["bytes"]) for row in rows],
                         [("MPI_COMM_WORLD", "message", 9, 63, 4184), ("row #", "message", 3, 8, 4032), ("adopted", "message", 1, 6, 48), ("row 0", "put", 1, 5, 40)])

    def test_run_without_messages_says_so(self):
        self.assertEqual(self.report("traffic", "traffic_differences", "DELETE FROM traffic"), [
            "No message was counted", "", "Who talks to whom", "No pair of processes is known that a message went between."])
        self.assertEqual(self.report("traffic", "traffic_differences", "DELETE FROM traffic WHERE peer <> -2")[:2], [
            "No message went between two processes of MPI_COMM_WORLD", "To and from MPI_PROC_NULL: 3 messages, 16 B, ranks 0,6"])

    def test_names_and_numbers_of_a_stranger_do_no_harm(self):
        trace = self.trace("traffic_differences",
                           "UPDATE object SET name = replace(printf('%100000s', char(27) || '[31m'), ' ', 'n') WHERE object = 1; UPDATE process SET node = char(27) || '[2J';"
                           "UPDATE traffic SET dest = 9223372036854775807, source = -5 WHERE rank = 1; UPDATE process SET world_size = 9223372036854775807 WHERE rank = 0")
        lines = self.call("report", trace, "traffic").stdout.splitlines()
        self.assertLess(len(lines), 2 * PAGE_LINES)
        self.assertTrue(lines)
        self.assertNotIn("\x1b", "".join(lines))


class Tags(Envelopes):
    ASKED = ("INSERT INTO keyval (rank, kind, keyval, name, created_ns, created) VALUES (0, 'communicator', 10, 'MPI_TAG_UB', 0, 1);"
             "INSERT INTO attribute (rank, object, kind, keyval, operation, found, value_kind, value, site, calls) VALUES"
             " (0, 1, 'communicator', 10, '{}', 1, 'integer', {}, 201, 1)")

    def test_report_of_tags(self):
        self.assertEqual(self.report("tags", "tags_on_one_side"), [
            "The largest tag is 40000, on whole, sent from exchange grid.c:17: above 32767, the only bound that every MPI guarantees, and the "
            "program never asked for MPI_TAG_UB",
            "Of the MPIs whose limit is known, the least allows 524287: view tag_limits",
            "Sent and never received on whole: tags 8 to 65535, 7 messages, from exchange grid.c:17",
            "Received and never sent on between: tag 3, 5 messages, from exchange grid.c:17",
            "Sent and never received on between: tag 2, 5 messages, from exchange grid.c:17",
            "Received and never sent on whole: tag 9, 2 messages",
            "",
            "Which tags messages have",
            "communicator  count  direction  tags           largest  messages  where",
            "────────────  ─────  ─────────  ─────────────  ───────  ────────  ──────────────────",
            "whole             1  send       7 to 40000       40000        24  exchange grid.c:17",
            "whole             1  receive    4096 to 20001    20001        14  exchange grid.c:17",
            "whole             1  receive    7,9                  9        12  ",
            "between           1  receive    3                    3         5  exchange grid.c:17",
            "between           1  send       2                    2         5  exchange grid.c:17",
            "early             1  send       1                    1         1  exchange grid.c:17",
            "part              1  send       1                    1         1  exchange grid.c:17"])

    def first(self, *more):
        return self.report("tags", "tags_on_one_side", *more)[:2]

    def test_mpis_that_would_refuse_the_largest_tag_are_named(self):
        lines = self.first("UPDATE tag SET tag = 3000000, last_tag = 3000000, largest_tag = 3000000 WHERE largest_tag = 40000;" + self.ASKED.format("survey", 8388607))
        self.assertTrue(lines[0].endswith("and the program never asked for MPI_TAG_UB, here 8388607"), lines)
        self.assertEqual(lines[1], "Too large for Intel MPI 2021 (524287), Intel MPI 2021.3 on InfiniBand (1048575), Cray MPICH 7.4 (2097151)")

    def test_program_that_asked_may_use_what_it_was_told(self):
        lines = self.first(self.ASKED.format("get", 40000))
        self.assertTrue(lines[0].endswith(": above 32767, but the program asked for MPI_TAG_UB (40000) and stays within"), lines)
        self.assertNotIn("limit", lines[1])

    def test_small_tags_are_fine_everywhere(self):
        self.assertEqual(self.first("DELETE FROM tag WHERE largest_tag > 20000 OR tag > 20000")[0],
                         "The largest tag is 20000, on whole, sent from exchange grid.c:17: every MPI allows tags up to 32767")

    def test_overview_names_tags_that_are_too_large_unless_the_program_asked(self):
        line = "The program uses tags up to 40000, on whole, and never asked for MPI_TAG_UB: every MPI allows 32767 only\n"
        self.assertIn(line, self.answer("report", self.trace("tags_on_one_side")))
        self.assertNotIn("tags up to", self.answer("report", self.trace("tags_on_one_side", self.ASKED.format("get", 40000))))

    def test_a_page_is_enough_for_many_tags(self):
        lines = self.limited("traffic_of_1024_ranks", "tags")
        self.assertLessEqual(len(lines), PAGE_LINES)
        self.assertEqual(lines[0], "The largest tag is 40950, on grid: above 32767, the only bound that every MPI guarantees, and the program never asked for "
                         "MPI_TAG_UB")
        self.assertNotIn("never received", "".join(lines))

    def test_run_without_tags_says_so(self):
        self.assertEqual(self.report("tags", "traffic_differences")[1:], ["Which tags messages have", "No message with a tag was counted."])


if __name__ == "__main__":
    unittest.main()
