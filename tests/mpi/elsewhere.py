"""CALLSIGN_JOURNAL: journals on storage of the node, traces in the run's folder. Run for each flavour."""

import os
import unittest

import harness
import place  # noqa: E402  (harness sets the path)


@unittest.skipIf(harness.SANITIZER, "the recording needs the launcher preloaded with the sanitizer")
class Elsewhere(unittest.TestCase):
    def setUp(self):
        temporary = harness.workspace()
        self.folder = temporary.__enter__()
        self.addCleanup(temporary.cleanup)
        self.local = self.folder / "local"
        self.local.mkdir()

    def record(self, *program, np=2, **settings):
        extra = {**harness.recording(self.folder), "CALLSIGN_JOURNAL": str(self.local), **settings}
        result = harness.mpirun(np, *program, extra=extra, cwd=self.folder)
        self.assertEqual(result.messages(), [])
        (run,) = harness.run_folders(self.folder)
        return run

    def command(self, *words):
        return harness.run([harness.COMMAND, *words], harness.base_environment(), self.folder)

    def journals(self):
        return sorted(path.name for path in self.local.iterdir())

    def test_the_trace_is_in_the_run_and_nothing_is_left_elsewhere(self):
        run = self.record("counting", "5")
        self.assertEqual(harness.compare(self.folder, 2), [])
        self.assertEqual(sorted(path.name for path in run.glob("rank-*")), ["rank-00000.db", "rank-00001.db"])
        self.assertEqual(self.journals(), [])

    def test_what_is_converted_later_is_brought_into_the_run(self):
        run = self.record("counting", "5", CALLSIGN_CONVERT="later")
        journals = sorted(run.glob("*.journal"))
        self.assertEqual([path.is_symlink() for path in journals], [False, False])
        self.assertEqual(self.journals(), [])
        self.assertEqual(harness.compare(self.folder, 2), [])

    def test_a_process_that_exits_brings_its_journal(self):
        run = self.record("ending", "exit", np=1)  # with several, the launcher kills all but the first
        self.assertEqual([path.is_symlink() for path in run.glob("*.journal")], [False])
        self.assertEqual(self.journals(), [])
        self.assertEqual(harness.compare(self.folder, 1), [])

    def test_what_a_process_left_that_was_killed_while_it_brought_its_journal_is_removed(self):
        run = self.record("counting", "5")
        left = run / f"rank-00000.journal.{place.in_names()}-999999999-0.tmp"
        left.touch()
        self.assertEqual(self.command("report", run).code, 0)
        self.assertFalse(left.exists())

    def killed(self):
        run = self.record("ending", "kill")
        links = sorted(run.glob("*.journal"))
        self.assertEqual([path.name for path in links], ["rank-00000.journal", "rank-00001.journal"])
        self.assertEqual(sorted(os.path.basename(os.readlink(path)) for path in links), self.journals())
        return run

    def test_killed_ranks_are_found_through_the_run_and_converted_there(self):
        run = self.killed()
        report = self.command("report", run)
        self.assertEqual((report.code, report.stderr), (0, ""))
        self.assertIn("died", report.stdout)
        self.assertIn("team", report.stdout)
        self.assertEqual(harness.compare(self.folder, 2), [])
        self.assertEqual(sorted(path.name for path in run.glob("rank-*")), ["rank-00000.db", "rank-00001.db"])
        self.assertEqual(self.journals(), [])

    def test_on_another_node_it_is_told_where_a_journal_lies(self):
        run = self.killed()
        place = self.folder / "of another node"
        self.local.rename(place)
        for command in ("report", "convert"):
            result = self.command(command, run)
            self.assertEqual(result.code, 1, result.stdout)
            for rank in (0, 1):
                target = os.readlink(run / f"rank-{rank:05}.journal")
                self.assertIn(f"rank-{rank:05}.journal is on the node that wrote it, in {target}: run `callsign convert` there", result.stderr)
        place.rename(self.local)
        self.assertEqual(self.command("convert", run).code, 0)
        self.assertEqual(harness.compare(self.folder, 2), [])


if __name__ == "__main__":
    unittest.main()
