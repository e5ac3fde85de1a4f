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

    def part(self, lines, title):
        """The indented lines below the one that begins so."""
        [at] = [i for i, line in enumerate(lines) if line.startswith(title)]
        end = next((i for i in range(at + 1, len(lines)) if not lines[i].startswith("  ")), len(lines))
        return lines[at + 1:end]

    def test_verdict_is_the_first_line_and_the_map_follows(self):
        self.assertEqual(self.report("placement_of_memory_elsewhere"), [
            "5 ranks on 1 node, 4 cores: oversubscribed 1.25x; memory of 2 bound to another NUMA node; all bound",
            "",
            "numa: ranks 0-4",
            "  package 0 (2 cores), NUMA node 0:",
            "    core 0: ranks 0,4",
            "    core 1: rank 1",
            "  package 1 (2 cores), NUMA node 1:",
            "    core 0: rank 2",
            "    core 1: rank 3",
            "",
            "Sharing a core: ranks 0,4",
            "Allowed on more than one package: rank 4",
            "Memory bound to another NUMA node than the processor's: ranks 2,3",
            "  2,3: memory of NUMA node 0, processor of NUMA node 1",
            "Bound differently:",
            "  0-3: to a core",
            "  4: to several packages"])

    def test_a_container_says_what_is_not_known(self):
        self.assertEqual(self.report("placement_without_topology"), [
            "3 ranks on 1 node, 3 processors: nobody bound",
            "Not known on ranks 0,1: the kernel does not say here which processors share a core or a package",
            "Not known on rank 2: which processors they may use",
            "Not known on rank 2: which processor they were on",
            "",
            "box: ranks 0-2",
            "  package not known:",
            "    processor not known: rank 2",
            "    processor 4: rank 0",
            "    processor 5: rank 1"])

    def test_who_moved_most_comes_first(self):
        lines = self.report("placement_of_ranks_that_moved")
        self.assertIn("Moved from one processor to another: ranks 0-2, 9 times in all", lines)
        self.assertEqual(self.part(lines, "Moved from"), ["  1: 7 times, on processors 0,1, left", "  0: 1 time, on processors 0,1, left",
                                                          "  2: 1 time, on processors 0,1, right"])

    def test_oversubscribed_nodes_and_quotas_are_named(self):
        lines = self.report("placement_oversubscribed")
        self.assertEqual(lines[0], "8 ranks on 2 nodes, 6 cores: oversubscribed 2x; control groups allow 1.5 of 2 cores in use on 1 node; "
                         "4 of them bound")
        self.assertEqual(self.part(lines, "Oversubscribed nodes"), ["  a: 4 ranks on 4 cores; 2 for each of a set that they are bound to",
                                                                    "  b: 4 ranks on 2 cores"])
        self.assertEqual(self.part(lines, "Control groups"), ["  b: 1.5 processors at a time"])
        self.assertIn("Sharing a core: ranks 0,1,4-7", lines)

    def test_nodes_of_equal_shape_share_a_part_of_the_map(self):
        lines = self.report("placement_of_1024_ranks")
        self.assertEqual(lines[0], "1024 ranks on 64 nodes, 1024 cores: 1008 of them bound")
        self.assertEqual(lines[2], "nid00000: ranks 0-15; 63 more nodes have as many ranks on the same cores")
        self.assertEqual(self.part(lines, "Bound differently"), ["  0-1007: to a core", "  1008-1023: not bound"])
        self.assertEqual(self.part(lines, "Communicators with"), ["  row # (32): 32 ranks on 32 nodes", "  grid: 1024 ranks on 64 nodes"])
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
        self.assertRegex(lines[0], r"^1024 ranks on 64 nodes, \d+ .*oversubscribed .*control groups .*memory of \d+ ")
        self.assertIn("nid00002: ranks 32-47; 30 more nodes have as many ranks", lines)
        for title in ("Oversubscribed", "Control groups", "Sharing a core", "Moved from", "Memory bound", "Bound differently",
                      "Communicators with", "Processes that never got a rank"):
            self.assertTrue(self.part(lines, title), title)
        self.assertEqual(self.part(lines, "Moved from")[-1], "  and 908 more")

    def test_overview_has_the_verdict_if_something_is_wrong(self):
        verdict = "8 ranks on 2 nodes, 6 cores: oversubscribed 2x"
        self.assertEqual(self.answer("report", self.trace("placement_oversubscribed")).count(verdict), 1)
        self.assertNotIn("bound", self.answer("report", self.trace("placement_of_ranks_that_moved")))

    def test_long_lines_keep_their_place_on_a_terminal(self):
        path = self.trace("placement_oversubscribed", "UPDATE process SET node = node || printf('%60s', 'x')")
        shown = self.on_terminal("report", path, "placement", NO_COLOR="1", COLUMNS="80").decode().splitlines()
        self.assertTrue(all(len(line) <= 80 for line in shown), shown)
        self.assertIn("    core 1: ranks 0,1", shown)

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
        self.assertEqual(lines, ["no rank is known", "", "Processes that never got a rank:", "  process 40 on box", "  process 41 on box",
                                 "  process 42 on box"])


if __name__ == "__main__":
    unittest.main()
