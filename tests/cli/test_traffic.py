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
        self.shows("traffic", self.report("traffic", "traffic_differences"))

    def test_accounts_that_agree_are_said_to(self):
        lines = self.report("traffic", "traffic_differences", "DELETE FROM traffic WHERE object > 1 OR peer < 0 OR rank NOT IN (1, 2) OR peer NOT IN (1, 2)")
        self.shows("traffic", lines[:2])

    def test_messages_without_data_are_weighed_by_their_number(self):
        lines = self.report("traffic", "traffic_differences", "DELETE FROM traffic WHERE object > 1 OR peer < 0; UPDATE traffic SET bytes = 0")
        self.shows("traffic", lines)

    def test_a_page_is_enough_for_1024_ranks(self):
        lines = self.limited("traffic_of_1024_ranks", "traffic")
        self.assertLessEqual(len(lines), PAGE_LINES)
        self.shows("traffic", lines)

    def test_overview_names_what_most_is_on_and_what_did_not_arrive(self):
        self.shows("verdict", self.report("verdict", "traffic_differences"))
        self.assertLess(len(self.limited("traffic_of_1024_ranks")), PAGE_LINES)

    def test_members_disagree_on_messages(self):
        self.shows("disagree", self.report("disagree", "traffic_differences"))

    def test_map_keeps_its_form_on_a_terminal(self):
        shown = self.on_terminal("report", self.trace("traffic_differences"), "traffic", NO_COLOR="1", COLUMNS="80").decode().splitlines()
        self.assertIn("     1 |  #=    |", shown)

    def test_one_ranks_account_is_compared_with_nothing(self):
        lines = self.report("traffic", "traffic_differences", "DELETE FROM process WHERE rank <> 2; DELETE FROM traffic WHERE rank <> 2")
        self.shows("traffic", lines)

    def test_table_comes_as_json_with_plain_numbers(self):
        rows = json.loads(self.answer("report", self.trace("traffic_differences"), "traffic", "--format", "json"))
        self.assertEqual([(row["communicator"], row["transfer"], row["pairs"], row["messages"], row["bytes"]) for row in rows],
                         [("MPI_COMM_WORLD", "message", 9, 63, 4184), ("row #", "message", 3, 8, 4032), ("adopted", "message", 1, 6, 48), ("row 0", "put", 1, 5, 40)])

    def test_run_without_messages_says_so(self):
        self.shows("traffic", self.report("traffic", "traffic_differences", "DELETE FROM traffic"), "none")
        self.shows("traffic", self.report("traffic", "traffic_differences", "DELETE FROM traffic WHERE peer <> -2"), "none between ranks")

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
        self.shows("tags", self.report("tags", "tags_on_one_side"))

    def first(self, *more):
        return self.report("tags", "tags_on_one_side", *more)[:2]

    def test_mpis_that_would_refuse_the_largest_tag_are_named(self):
        lines = self.first("UPDATE tag SET tag = 3000000, last_tag = 3000000, largest_tag = 3000000 WHERE largest_tag = 40000;" + self.ASKED.format("survey", 8388607))
        self.shows("tags", lines)

    def test_program_that_asked_may_use_what_it_was_told(self):
        self.shows("tags", self.first(self.ASKED.format("get", 40000)))

    def test_small_tags_are_fine_everywhere(self):
        self.shows("tags", self.first("DELETE FROM tag WHERE largest_tag > 20000 OR tag > 20000"))

    def test_overview_names_tags_that_are_too_large_unless_the_program_asked(self):
        self.shows("verdict", self.report("verdict", "tags_on_one_side"))
        self.shows("verdict", self.report("verdict", "tags_on_one_side", self.ASKED.format("get", 40000)), "asked")

    def test_a_page_is_enough_for_many_tags(self):
        lines = self.limited("traffic_of_1024_ranks", "tags")
        self.assertLessEqual(len(lines), PAGE_LINES)
        self.shows("tags", lines)

    def test_run_without_tags_says_so(self):
        self.shows("tags", self.report("tags", "traffic_differences"))


if __name__ == "__main__":
    unittest.main()
