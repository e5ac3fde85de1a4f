"""Damaged runs, from real recordings: the command says so in one clear line that names the file, shows what can be shown, and never
crashes."""

import os
import shutil
import unittest

import harness


@unittest.skipIf(harness.SANITIZER, "the recording needs the launcher preloaded with the sanitizer")
class Reading(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """One finalized run, and one that died and left a journal; the tests work on copies."""
        temporary = harness.workspace()
        cls.original = temporary.__enter__()
        cls.addClassCleanup(temporary.cleanup)
        for name, program in (("good", ("counting", "5")), ("dead", ("ending", "kill"))):
            (cls.original / name).mkdir()
            harness.mpirun(2, *program, extra=harness.recording(cls.original / name), cwd=cls.original)
            (run,) = harness.run_folders(cls.original / name)
            shutil.copytree(run, cls.original / f"{name}.callsign")

    def setUp(self):
        temporary = harness.workspace()
        self.folder = temporary.__enter__()
        self.addCleanup(temporary.cleanup)
        for name in ("good", "dead"):
            shutil.copytree(self.original / f"{name}.callsign", self.folder / f"{name}.callsign")
        self.good, self.dead = self.folder / "good.callsign", self.folder / "dead.callsign"

    def report(self, run):
        result = harness.run([harness.COMMAND, "report", run], cwd=self.folder)
        self.assertIn(result.code, (0, 1), f"{result.code}: {result.stderr}")
        for line in result.stderr.splitlines():
            self.assertTrue(line.startswith("callsign:"), line)
        return result

    def test_good_run_is_reported_without_a_word_on_stderr(self):
        result = self.report(self.good)
        self.assertEqual((result.code, result.stderr), (0, ""))
        self.assertIn("MPI_COMM_WORLD", result.stdout)

    def test_dead_run_is_converted_and_reported(self):
        result = self.report(self.dead)
        self.assertEqual(result.code, 0, result.stderr)
        self.assertIn("died", result.stdout)
        self.assertIn("team", result.stdout)

    def test_truncated_database_is_named_and_the_other_rank_shown(self):
        victim = self.good / "rank-00001.db"
        os.truncate(victim, victim.stat().st_size // 2)
        result = self.report(self.good)
        self.assertIn("rank-00001.db", result.stderr)
        self.assertIn("MPI_COMM_WORLD", result.stdout)

    def test_database_full_of_noise_is_named(self):
        (self.good / "rank-00000.db").write_bytes(os.urandom(20000))
        result = self.report(self.good)
        self.assertIn("rank-00000.db", result.stderr)

    def test_any_page_of_noise_hides_its_rank_only(self):
        whole = self.report(self.good).stdout
        victim = self.good / "rank-00000.db"
        original = victim.read_bytes()
        for start in range(0, len(original), 4096):
            with self.subTest(page=start // 4096):
                victim.write_bytes(original[:start] + os.urandom(4096) + original[start + 4096:])
                result = self.report(self.good)
                self.assertEqual(result.code, 0, result.stderr)
                if result.stdout == whole and not result.stderr:
                    continue  # a page that is not in use
                self.assertRegex(result.stderr, r"\Acallsign: .*rank-00000\.db is damaged: .*\n\Z")
                self.assertIn("MPI_COMM_WORLD", result.stdout)

    def test_flipped_bytes_never_crash(self):
        original = (self.good / "rank-00000.db").read_bytes()
        for start in range(0, len(original), max(4096, len(original) // 12)):
            damaged = bytearray(original)
            for i in range(start, min(start + 64, len(damaged))):
                damaged[i] ^= 0xff
            (self.good / "rank-00000.db").write_bytes(damaged)
            self.report(self.good)

    def test_truncated_journal_gives_what_is_there(self):
        journals = sorted(self.dead.glob("*.journal"))
        self.assertTrue(journals, "a killed rank leaves a journal")
        for journal in journals:
            original = journal.read_bytes()
            for size in (0, 1, 100, 4095, 4096, 5000, len(original) // 2, len(original) - 1):
                for old in self.dead.iterdir():
                    if old.name.startswith("rank-") and old.suffix == ".db" and old.stem == journal.stem:
                        old.unlink()
                journal.write_bytes(original[:size])
                self.report(self.dead)
            break

    def test_noise_instead_of_a_journal_is_named(self):
        journal = sorted(self.dead.glob("*.journal"))[0]
        journal.write_bytes(os.urandom(9000))
        self.assertIn(journal.name, self.report(self.dead).stderr)

    def test_folder_that_is_no_run(self):
        empty = self.folder / "empty"
        empty.mkdir()
        result = self.report(empty)
        self.assertEqual(result.code, 1)
        self.assertEqual(len(result.stderr.splitlines()), 1)
        self.assertIn("empty", result.stderr)

    def test_run_that_does_not_exist(self):
        result = self.report(self.folder / "nowhere")
        self.assertEqual(result.code, 1)
        self.assertEqual(len(result.stderr.splitlines()), 1)
        self.assertIn("nowhere", result.stderr)


if __name__ == "__main__":
    unittest.main()
