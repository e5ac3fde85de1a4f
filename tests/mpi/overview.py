"""The overview says nothing that its tables do not: of runs that ended, of one with threads, and of some that hang."""

import collections
import contextlib
import json
import os
import pathlib
import re
import subprocess
import unittest

import harness
import golden
import first_screen

RANKS = 4


class Recorded(unittest.TestCase):
    """A run in self.folder, recorded once for all tests of a class."""

    how, ranks = None, RANKS

    @classmethod
    def setUpClass(cls):
        workspace = harness.workspace()
        cls.folder = workspace.__enter__()
        cls.addClassCleanup(workspace.__exit__, None, None, None)
        if cls.how:
            done = harness.mpirun(cls.ranks, "overview", cls.how, extra=harness.recording(cls.folder), cwd=cls.folder)
            assert done.code == 0, done.stderr

    def answer(self, *words):
        (run,) = harness.run_folders(self.folder)
        result = harness.run([harness.COMMAND, words[0], run, *words[1:]])
        self.assertEqual((result.code, result.stderr), (0, ""))
        return result.stdout

    def ask(self, sql):
        return json.loads(self.answer("query", sql, "--format", "json"))

    def check_figures(self):
        self.assertEqual(harness.figures_that_differ(*harness.run_folders(self.folder)), [])

    def screen(self):
        return first_screen.Screen(self, self.ask, lambda *words: self.answer("report", *words))


class Circles(Recorded):
    """Deadlocks that buffers hide."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        done = harness.mpirun(cls.ranks, "circles", extra=dict(harness.recording(cls.folder), CALLSIGN_EVENTS="all"), cwd=cls.folder)
        assert done.code == 0, done.stderr

    def test_sends_in_a_circle_are_named_and_no_others(self):
        """With messages of 1 MiB the modes that are named here wait for ever, and only these."""
        source = pathlib.Path(__file__).with_name("programs").joinpath("circles.c").read_text(encoding="utf-8")
        modes = set(re.findall(r"MODE\((bad_\w+)\)", source))
        self.assertEqual(len(modes), 20)
        if harness.FLAVOUR == "mpich":  # all complete sends have one handle, so that nobody knows what MPI_Waitall completed
            modes.remove("bad_waitall")
        findings = [finding for finding in json.loads(self.answer("report", "--format", "json"))["findings"] if finding["kind"] == "hidden_deadlock"]
        named = collections.defaultdict(set)
        for finding in findings:
            named[finding["location"].split()[0]].add((finding["ranks"], finding["subject"]))
        self.assertEqual(set(named), modes)
        self.assertEqual(named["bad_ring"], {("0-3", "sends")})
        self.assertEqual(named["bad_pairs"], {("0,1", "sends"), ("2,3", "sends")})
        self.assertEqual(named["bad_barrier"], {("0,1", "waits")})
        (run,) = harness.run_folders(self.folder)
        done = harness.run([harness.COMMAND, "check", run])
        self.assertEqual(done.code, 0)
        self.assertRegex(re.sub(r"\s+", " ", done.stdout), r"Warning: Ranks 0-3 send in a circle, by MPI_Send on MPI_COMM_WORLD at bad_ring circles\.c:\d+: with messages above the eager limit this hangs")


class Plain(Recorded):
    how = "plain"

    def test_lines_agree_with_tables(self):
        screen = self.screen()
        screen.check()
        screen.check_processes()

    def test_all_screens_have_the_same_figures(self):
        self.check_figures()

    def test_what_is_never_freed_is_counted_for_each_rank(self):
        golden.check(self, "overview", golden.steady([self.screen().line("Never freed: ")]))

    def test_messages_are_told_apart_from_collectives(self):
        golden.check(self, "overview", [self.screen().line("Point-to-point")])

    def test_communicators_of_one_name_are_told_apart(self):
        rows = [(row["communicator"], row["location"]) for row in self.screen().rows("communicators") if row["communicator"].startswith("my row")]
        self.assertEqual(sorted(name for name, _ in rows), [f"my row #{number}" for number in range(1, len(rows) + 1)])
        self.assertTrue(all("overview.c:" in place for _, place in rows), rows)
        names = [f'{row["communicator"]} of {row["members"]}' for row in self.screen().rows("balance") if row["function"] == "MPI_Barrier"]
        self.assertEqual(sorted(names), ["my row #1 of 0-1", "my row #1 of 2-3", "my row #2 of 0,2", "my row #2 of 1,3"])

    def test_calls_of_one_source_line_share_a_row(self):
        rows = [row for row in self.screen().rows("call_sites") if row["function"] == "MPI_Comm_free"]
        self.assertEqual(sorted(row["calls"] for row in rows), [4, 4, 16])

    def test_waiting_lies_between_its_bounds(self):
        for row in self.ask("SELECT * FROM balance WHERE latest_rank IS NOT NULL"):
            self.assertTrue(0 <= row["waiting_seconds"] <= row["waiting_most_seconds"] <= row["seconds"], row)

    def test_time_before_init_ended_is_said_in_words(self):
        if self.ask("SELECT min(created_ns) AS first FROM run_communicators")[0]["first"] < 0:
            self.assertIn(" before Init ended ", self.answer("report", "objects"))
        self.assertNotRegex(self.answer("report", "objects"), r" -\d")

    def test_balance_says_which_ranks_are_missing(self):
        (run,) = harness.run_folders(self.folder)
        text = harness.run([harness.COMMAND, "report", run / "rank-00001.db", "balance"]).stdout
        golden.check(self, "balance", text)


class OneRank(Recorded):
    how, ranks = "plain", 1

    def test_all_screens_have_the_same_figures(self):
        self.check_figures()

    def test_one_rank_is_not_compared_with_others(self):
        screen = self.screen()
        screen.check()
        kinds = [row["kind"] for row in self.ask("SELECT kind FROM findings")]
        self.assertFalse({"data_between_ranks", "mpi_percent", "other_percent", "late_rank"} & set(kinds))
        golden.check(self, "overview", golden.steady([screen.line("Never freed: ")]))
        golden.check(self, "balance", self.answer("report", "balance"))


class Threads(Recorded):
    how, ranks = "threads", 2

    def test_lines_agree_with_tables(self):
        screen = self.screen()
        screen.check()
        screen.check_processes()

    def test_all_screens_have_the_same_figures(self):
        self.check_figures()

    def test_a_thread_counts_for_as_long_as_it_lived(self):
        for row in self.ask("SELECT p.seconds, p.thread_seconds, t.lived_seconds, t.thread, t.threads FROM processes p JOIN threads t USING (rank)"):
            if row["thread"]:
                self.assertTrue(0.1 <= row["lived_seconds"] / row["threads"] < row["seconds"] - 0.3, row)
            else:
                self.assertAlmostEqual(row["lived_seconds"], row["seconds"], places=3)
            self.assertLess(row["thread_seconds"], 5 * row["seconds"] - 4 * 0.3)
        for row in self.ask("SELECT p.rank, p.thread_seconds, total(t.lived_seconds) AS lived, total(t.threads) AS threads FROM processes p "
                            "JOIN threads t USING (rank) GROUP BY 1"):
            self.assertEqual(row["threads"], 5)
            self.assertAlmostEqual(row["thread_seconds"], row["lived"], places=6)


class Open(Recorded):
    @contextlib.contextmanager
    def hanging(self, how, call):
        """The program in the background, as soon as all ranks but one have been in this call for a second."""
        if harness.SANITIZER:
            self.skipTest("the launcher is not run through harness.mpirun")
        command = [*harness.launcher(3), os.path.join(harness.PROGRAMS, "overview"), how]
        sql = f"SELECT count(*) FROM waits WHERE call = '{call}' AND seen_ns - since_ns > 1000000000"
        with harness.bounded.start(command, env=harness.base_environment(**harness.recording(self.folder)), start_new_session=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                for _ in harness.bounded.moments(40):
                    runs = harness.run_folders(self.folder)
                    if runs and harness.run([harness.COMMAND, "query", runs[0], sql, "-f", "csv"]).stdout.endswith("\n2\r\n" if os.linesep == "\r\n" else "2\n"):
                        break
                yield
            finally:
                harness.bounded.end(process)

    def setUp(self):
        workspace = harness.workspace()
        self.folder = workspace.__enter__()
        self.addCleanup(workspace.__exit__, None, None, None)

    def one_answer(self, how, call):
        """What was recorded until one instant, as files: each question to a live run is asked at another one."""
        with self.hanging(how, call):
            (run,) = harness.run_folders(self.folder)
            done = harness.run([harness.COMMAND, "merge", run, "-o", self.folder / "now.db"])
            self.assertEqual(done.code, 0, done.stderr)
        self.answer = lambda *words: harness.run([harness.COMMAND, words[0], self.folder / "now.db", *words[1:]]).stdout
        return self.screen()

    def test_open_call_belongs_to_its_communicator_and_function(self):
        screen = self.one_answer("split", "MPI_Comm_split")
        screen.check()
        screen.check_processes()
        line = re.sub(r"[\d.]+ %", "N %", golden.steady([screen.line("MPI time")])[0])
        golden.check(self, "overview", [line])
        for report in ("communicators", "functions", "call_sites"):
            row = screen.rows(report)[0]
            self.assertEqual((row["open"], row["percent"] > 90, row["seconds"] > 2), (2, True, True), row)
        (row,) = [row for row in screen.rows("balance") if row["function"] == "MPI_Comm_split"]
        self.assertEqual((row["latest"], row["waiting_about_seconds"] > 2), (1, True), row)

    def test_who_waits_in_finalize_waits_there(self):
        screen = self.one_answer("finalize", "MPI_Finalize")
        screen.check()
        screen.check_processes()
        self.assertEqual(self.ask("SELECT function, calls, open, seconds > 2 AS long FROM function_time WHERE function = 'MPI_Finalize'"),
                         [{"function": "MPI_Finalize", "calls": 0, "open": 2, "long": 1}])


if __name__ == "__main__":
    unittest.main()
