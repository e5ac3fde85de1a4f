"""Journals of processes that died, still run, or lie elsewhere."""
import os
import sqlite3
import unittest

import fixture
from support import CommandTest, bounded


class Journals(CommandTest):
    def test_journal_of_a_dead_process_is_converted_when_met(self):
        run = fixture.make_run(self.folder, ranks=3)
        fixture.make_journal(run / "rank-00003.journal", rank=3)
        text = self.answer("report", run)
        self.assertIn("Rank 3 died in MPI_Recv on MPI_COMM_WORLD from rank 1, tag 7, at 0x1234, entered after 4.00 s", text)
        self.assertTrue((run / "rank-00003.db").exists())
        self.assertFalse((run / "rank-00003.journal").exists())

    def test_journal_of_a_living_process_is_shown_and_left(self):
        run = fixture.make_run(self.folder, ranks=3)
        living = bounded.start(["sleep", "60"])
        try:
            fixture.make_living_journal(run / "rank-00003.journal", living, rank=3)
            text = self.answer("report", run)
            converted = self.call("convert", run)
        finally:
            living.kill()
            living.wait()
        self.assertIn("1 process still runs", text)
        self.assertIn("Rank 3 is running, in MPI_Recv", text)
        self.assertEqual(converted.returncode, 0)
        self.assertIn("rank-00003.journal", converted.stderr)
        self.assertTrue((run / "rank-00003.journal").exists())
        self.assertFalse((run / "rank-00003.db").exists())
        self.assertEqual(list(self.temporary.iterdir()), [])

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_folder_that_cannot_be_written_is_read_all_the_same(self):
        run = fixture.make_run(self.folder, ranks=3)
        fixture.make_journal(run / "rank-00003.journal", rank=3)
        run.chmod(0o555)
        self.addCleanup(run.chmod, 0o755)
        self.assertIn("Rank 3 died", self.answer("report", run))
        self.assertTrue((run / "rank-00003.journal").exists())

    @unittest.skipUnless(os.geteuid() == 0, "only root can act for others")
    def test_root_reads_what_its_owner_may_not_convert(self):
        run = fixture.make_run(self.folder, ranks=3)
        fixture.make_journal(run / "rank-00003.journal", rank=3)
        os.chown(run / "rank-00003.journal", 54321, 54321)
        done = self.call("report", run)  # in a folder of root's
        self.assertEqual(done.returncode, 0)
        self.assertIn("Rank 3 died", done.stdout)
        self.assertRegex(done.stderr, r"\Acallsign: cannot write the trace .*/rank-00003\.db: Permission denied\n\Z")
        self.assertEqual(sorted(path.name for path in run.iterdir())[3:], ["rank-00003.journal"])

    def test_convert_says_how_each_process_ended(self):
        run = fixture.make_run(self.folder, ranks=1)
        fixture.make_journal(run / "rank-00001.journal", rank=1, outcome="aborted")
        fixture.make_journal(run / "rank-00002.journal", rank=2)
        lines = self.answer("convert", run).splitlines()
        self.assertEqual(len(lines), 2)
        self.assertTrue(lines[0].endswith("rank-00001.db: rank 1 aborted in MPI_Recv on MPI_COMM_WORLD"), lines)
        self.assertTrue(lines[1].endswith("rank-00002.db: rank 2 died in MPI_Recv on MPI_COMM_WORLD"), lines)
        self.assertIn("no journal to convert, 3 traces", self.answer("convert", run))

    def linked_journal(self, name, **options):
        """A run whose rank 1 has its journal in a folder of the node, under this name."""
        run = fixture.make_run(self.folder, ranks=1)
        local = self.folder / "local"
        local.mkdir()
        fixture.make_journal(local / name, rank=1, **options)
        (run / "rank-00001.journal").symlink_to(local / name)
        return run, local / name

    def test_journal_on_storage_of_the_node_is_converted_into_the_run(self):
        run, journal = self.linked_journal("callsign-77-here-5.journal")
        self.answer("report", run)
        self.assertEqual(sorted(path.name for path in run.iterdir()), ["rank-00000.db", "rank-00001.db"])
        self.assertFalse(journal.exists())

    def test_other_links_are_not_followed(self):
        run, journal = self.linked_journal("secret.journal")
        done = self.call("convert", run)
        self.assertEqual(done.returncode, 1)
        self.assertIn("it is a symbolic link", done.stderr)
        self.assertTrue(journal.exists())

    @unittest.skipUnless(os.geteuid() == 0, "only root can make links of others")
    def test_link_of_another_user_is_not_followed(self):
        run, journal = self.linked_journal("callsign-77-here-5.journal")
        os.chown(run / "rank-00001.journal", 12345, 12345, follow_symlinks=False)
        done = self.call("convert", run)
        self.assertEqual(done.returncode, 1)
        self.assertIn("leads to a journal of another user: it is not read", done.stderr)
        self.assertTrue(journal.exists())

    def test_convert_keeps_the_journal_if_asked(self):
        journal = self.folder / "rank-00001.journal"
        fixture.make_journal(journal, rank=1)
        self.answer("convert", "--keep", journal)
        self.assertTrue(journal.exists())
        self.assertTrue(journal.with_suffix(".db").exists())

    def test_path_may_be_as_long_as_the_system_allows(self):
        deep = self.folder
        while len(str(deep)) < 1500:
            deep /= "a_folder_of_a_batch_system_that_likes_long_names"
        deep.mkdir(parents=True)
        run = fixture.make_run(self.folder, ranks=2).rename(deep / "long.callsign")
        fixture.make_journal(run / "rank-00002.journal", rank=2)
        self.assertIn("Rank 2 died", self.answer("report", run))
        self.assertTrue((run / "rank-00002.db").exists())
        self.assertIn("3 ranks", self.answer("report", ".", cwd=run))
        self.assertIn("finalized", self.answer("query", "rank-00001.db", "processes", cwd=run))
        fixture.make_journal(run / "rank-00003.journal", rank=3)
        self.assertIn("rank 3 died", self.answer("convert", ".", cwd=run))

    def test_single_journal_can_be_asked(self):
        fixture.make_journal(self.folder / "rank-00001.journal", rank=1)
        self.assertIn("died", self.answer("query", "rank-00001.journal", "processes"))

    def test_broken_journal_is_named_and_the_rest_is_shown(self):
        run = fixture.make_run(self.folder, ranks=3)
        (run / "rank-00003.journal").write_bytes(b"CSJOURN\n" + bytes(5000))
        done = self.call("report", run)
        self.assertEqual(done.returncode, 0)
        self.assertIn("rank-00003.journal", done.stderr)
        self.assertIn("3 ranks", done.stdout)
        self.assertEqual(self.call("convert", run).returncode, 1)

    def test_journal_beside_another_file_is_read_and_that_file_stays(self):
        run = fixture.make_run(self.folder, ranks=2)
        fixture.make_journal(run / "rank-00002.journal", rank=2)
        others = {"notes": b"not a trace" * 20, "empty": b""}
        with sqlite3.connect(self.folder / "other.db") as db:
            db.execute("CREATE TABLE process (rank)")
        others["database"] = (self.folder / "other.db").read_bytes()
        for what, content in others.items():
            (run / "rank-00002.db").write_bytes(content)
            for words in (("report", run), ("query", run / "rank-00002.journal", "processes")):
                with self.subTest(what=what, words=words[0]):
                    done = self.call(*words)
                    self.assertEqual(done.returncode, 0)
                    self.assertRegex(done.stderr, r"\Acallsign: .*/rank-00002\.db is not a callsign trace: its journal is read.*\n\Z")
                    self.assertRegex(done.stdout, "(?i)rank 2 died|died")
            self.refuse("convert", run, saying="rank-00002.db is not a callsign trace")
            self.assertEqual((run / "rank-00002.db").read_bytes(), content)
        (run / "rank-00002.db").unlink()
        self.assertIn("rank 2 died", self.answer("convert", run))

    def test_processes_without_a_rank_do_not_hide_each_other(self):
        run = fixture.make_run(self.folder, ranks=1)
        for node in ("node1", "node-2.cluster"):
            fixture.make_journal(run / f"process-{node}-5001.journal", rank=-1, size=-1)
        for _ in range(2):
            self.assertEqual(self.ask(run, "SELECT count(*) AS n FROM process WHERE rank < 0"), [{"n": 2}])
        fixture.make_journal(run / "process-node1.b-5001.journal", rank=-1, size=-1)
        self.assertEqual(self.ask(run, "SELECT count(*) AS n FROM process WHERE rank < 0"), [{"n": 3}])

    def test_journal_of_another_node_that_says_how_it_ended_is_converted_for_good(self):
        run = fixture.make_run(self.folder, ranks=1)
        fixture.make_journal(run / "rank-00001.journal", rank=1, outcome="finalized", node="elsewhere", boot=1)
        text = self.answer("report", run)
        self.assertNotIn("still runs", text)
        self.assertNotIn("running", text)
        self.assertEqual(sorted(path.suffix for path in run.iterdir()), [".db", ".db"])

    def test_journal_of_another_node_that_has_long_been_still_is_read_and_stays_as_it_is(self):
        run = fixture.make_run(self.folder, ranks=1)
        journal = run / "rank-00001.journal"
        fixture.make_journal(journal, rank=1, node="elsewhere", boot=1)
        os.utime(journal, (1000000, 1000000))
        for _ in range(2):
            self.assertIn("Rank 1 died in MPI_Recv", self.answer("report", run))
            self.assertEqual(sorted(path.name for path in run.iterdir()), ["rank-00000.db", journal.name])
        self.assertEqual(self.call("convert", run).returncode, 0)
        self.assertTrue((run / "rank-00001.db").exists())


if __name__ == "__main__":
    unittest.main()
