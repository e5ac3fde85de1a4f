"""The report of where ranks ran, on the traces of tests/sql."""
import unittest

import fixture
from support import COMMAND, CommandTest, bounded

PAGE_LINES = 60
REPORT_SECONDS = 10  # it takes one


class Placement(CommandTest):
    def trace(self, case, *more):
        return fixture.make_case(self.folder / f"{case}.db", case, *more)

    def report(self, case, *more):
        return self.answer("report", self.trace(case, *more), "placement").splitlines()

    def test_verdict_is_the_first_line_and_the_map_follows(self):
        self.shows("placement", self.report("placement_of_memory_elsewhere"))

    def test_a_container_says_what_is_not_known(self):
        self.shows("placement", self.report("placement_without_topology"))

    def test_who_moved_most_comes_first(self):
        self.shows("placement", self.report("placement_of_ranks_that_moved"))

    def test_oversubscribed_nodes_and_quotas_are_named(self):
        self.shows("placement", self.report("placement_oversubscribed"))

    def test_nodes_of_equal_shape_share_a_part_of_the_map(self):
        lines = self.report("placement_of_1024_ranks")
        self.shows("placement", lines)
        self.assertLessEqual(len(lines), PAGE_LINES)

    # Every node another shape, every rank somewhere else than where it began, all that can be wrong at once.
    SCATTERED = ("""
        CREATE TABLE seat AS SELECT rank, rank * 7919 % (16 + rank / 16) % 16 AS cpu FROM process;
        UPDATE thread_processor SET cpu = (SELECT cpu FROM seat s WHERE s.rank = thread_processor.rank), moves = rank % 9;
        UPDATE placement SET allowed_cpus = CASE WHEN rank % 5 THEN '0-31' ELSE '0-15' END;
        DELETE FROM processor;
        INSERT INTO processor SELECT rank, cpu, cpu % 4, cpu / 4, cpu / 4, printf('%d,%d', cpu, cpu + 16),
               printf('%d-%d,%d-%d', cpu / 4 * 4, cpu / 4 * 4 + 3, cpu / 4 * 4 + 16, cpu / 4 * 4 + 19) FROM seat;
        DELETE FROM processor WHERE rank % 16 = 3;
        UPDATE process SET node = 'nid00000' WHERE rank % 5 = 0 AND rank / 16 % 2;
        UPDATE meta SET value = 'bind ' || (rank % 4) WHERE key = 'memory_policy';
        INSERT INTO meta SELECT rank, 'cpu_quota', CAST(1 + rank / 16 % 3 AS TEXT) FROM process;
        INSERT INTO meta SELECT rank, 'note.placement', 'note ' || (rank % 2) FROM process;
        UPDATE object SET name = char(97 + rank % 26) || char(97 + rank / 26 % 26), uid = 1000 + rank % 676 WHERE object = 2;
        INSERT INTO process (rank, node, pid, clock_offset_ns, outcome, threads, calls, mpi_ns, lost, damaged)
        SELECT -10000 - rank, node, 10000 + rank, 0, 'died', 0, 0, 0, 0, 0 FROM process WHERE rank < 20;
        DROP TABLE seat;""")

    def test_a_page_is_enough_for_1024_ranks_in_disorder(self):
        path = self.trace("placement_of_1024_ranks", self.SCATTERED)
        done = bounded.run([COMMAND, "report", path, "placement"], REPORT_SECONDS, capture_output=True, text=True, env=self.environment())
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.splitlines()
        self.assertLessEqual(len(lines), PAGE_LINES)
        self.shows("placement", lines)

    def test_overview_has_the_verdict_if_something_is_wrong(self):
        self.shows("verdict", self.answer("report", self.trace("placement_oversubscribed"), "verdict"))
        self.shows("verdict", self.answer("report", self.trace("placement_of_ranks_that_moved"), "verdict"), "nothing wrong")

    def test_long_lines_keep_their_place_on_a_terminal(self):
        path = self.trace("placement_oversubscribed", "UPDATE process SET node = node || printf('%60s', 'x')")
        shown = self.on_terminal("report", path, "placement", NO_COLOR="1", COLUMNS="80").decode().splitlines()
        self.assertTrue(all(len(line) <= 80 for line in shown), shown)
        self.assertRegex("\n".join(shown), r"(?m) 1 +0,1 ")

    def test_lists_and_names_of_a_stranger_do_no_harm(self):
        lines = self.report("placement_without_topology",
                            "UPDATE placement SET allowed_cpus = '0-99999999,' || replace(printf('%40s', ''), ' ', '0-65535,') || rank;"
                            "UPDATE process SET node = replace(printf('%100000s', char(27) || '[31m'), ' ', 'n') WHERE rank = 0;"
                            "UPDATE process SET node = char(27) || '[2J' WHERE rank = 1;"
                            "UPDATE meta SET value = replace(printf('%100000s', ''), ' ', '0-65535,') WHERE key = 'cpus_online';"
                            "UPDATE meta SET value = char(10) || value WHERE key = 'note.placement';"
                            "UPDATE processor SET core = 9223372036854775807, package = 'p', core_cpus = '9223372036854775807', package_cpus = '-5--3,x-,,'")
        self.assertLess(max(map(len, lines)), 400)
        self.assertNotIn("\x1b", "".join(lines))

    def test_a_run_without_a_rank_says_so(self):
        lines = self.report("placement_without_topology", "UPDATE process SET rank = -1 - rank; DELETE FROM placement; DELETE FROM processor;"
                            "DELETE FROM thread_processor; DELETE FROM meta")
        self.shows("placement", lines)


if __name__ == "__main__":
    unittest.main()
