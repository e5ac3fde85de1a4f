"""Damaged and older traces: none hides more than itself, none crashes the command."""
import contextlib
import json
import os
import random
import shutil
import sqlite3
import unittest

import fixture
from support import CommandTest

AT_ONCE = 16  # damaged ranks of a run


class Damaged(CommandTest):
    def check_others_are_shown(self, run, *saying):
        done = self.call("report", run)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for text in ("rank-00001.db", *saying):
            self.assertIn(text, done.stderr)
        self.assertIn("3 ranks", done.stdout)
        self.assertIn("No trace of rank 1", done.stdout)

    def test_truncated_rank_is_left_out(self):
        run = fixture.make_run(self.folder)
        rank = run / "rank-00001.db"
        os.truncate(rank, rank.stat().st_size // (2 * fixture.PAGE) * fixture.PAGE)
        self.check_others_are_shown(run)

    def test_rank_of_random_bytes_is_left_out(self):
        run = fixture.make_run(self.folder)
        (run / "rank-00001.db").write_bytes(random.Random(1).randbytes(20000))
        self.check_others_are_shown(run)

    def test_empty_rank_is_left_out(self):
        run = fixture.make_run(self.folder)
        (run / "rank-00001.db").write_bytes(b"")
        self.check_others_are_shown(run)

    def pages(self):
        """Numbers of the pages of a rank's file that the command reads, and of those it does not: tables that it computes from the others."""
        sample = fixture.make_run(self.folder, ranks=1) / "rank-00000.db"
        with contextlib.closing(sqlite3.connect(sample)) as db:
            computed = {page - 1 for page, in db.execute("SELECT rootpage FROM sqlite_schema WHERE tbl_name IN ('rank_time', 'summary')")}
        whole = sample.stat().st_size // fixture.PAGE
        shutil.rmtree(sample.parent)
        return [page for page in range(whole) if page not in computed], sorted(computed)

    def damage(self, victim, page, dice):
        self.assertLess(page, victim.stat().st_size // fixture.PAGE)
        with open(victim, "r+b") as file:
            file.seek(page * fixture.PAGE)
            file.write(dice.randbytes(fixture.PAGE))

    def test_damaged_page_of_what_is_computed_hides_nothing(self):
        _, computed = self.pages()
        run = fixture.make_run(self.folder, ranks=len(computed) + 1)
        for rank, page in enumerate(computed):
            self.damage(run / f"rank-{rank:05d}.db", page, random.Random(page))
        for words in (("report", run), ("query", run, "profile")):
            done = self.call(*words)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.ask(run, "SELECT count(*) AS ranks FROM process"), [{"ranks": len(computed) + 1}])

    def test_any_damaged_page_hides_its_rank_only(self):
        """Each rank but the first and the last has another damaged page."""
        pages, _ = self.pages()
        dice = random.Random(3)
        for some in (pages[begin:begin + AT_ONCE] for begin in range(0, len(pages), AT_ONCE)):
            with self.subTest(pages=some):
                run = fixture.make_run(self.folder, ranks=len(some) + 2)
                victims = [run / f"rank-{rank:05d}.db" for rank in range(1, len(some) + 1)]
                for victim, page in zip(victims, some):
                    self.damage(victim, page, dice)
                for words in (("report", run), ("query", run, "SELECT group_concat(rank) AS ranks FROM process", "-f", "csv")):
                    done = self.call(*words)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    lines = sorted(done.stderr.splitlines())
                    self.assertEqual(len(lines), len(victims), done.stderr)
                    for line, victim in zip(lines, victims):
                        self.assertRegex(line, rf"\Acallsign: .*/{victim.name} is damaged: .*; left out\Z")
                    if words[0] == "query":
                        self.assertEqual(done.stdout.split(), ["ranks", f'"0,{len(some) + 1}"'])
                    else:
                        self.assertIn(f"{len(some)} of {len(some) + 2} rank files could not be read", done.stdout)
                shutil.rmtree(run)

    def test_several_damaged_ranks_hide_themselves_only(self):
        read, _ = self.pages()
        run = fixture.make_run(self.folder, ranks=5)
        for rank in (0, 2, 3):
            self.damage(run / f"rank-{rank:05d}.db", read[-2], random.Random(rank))
        done = self.call("query", run, "SELECT rank, clock_offset_ns FROM process", "-f", "csv")
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (0, 3), done.stderr)
        self.assertEqual(done.stdout.split(), ["rank,clock_offset_ns", "1,0", "4,3000000"])  # by the clock of one that is there

    def test_what_is_no_file_is_left_out_and_blocks_nobody(self):
        run = fixture.make_run(self.folder, ranks=2)
        os.mkfifo(run / "rank-00002.db")
        os.mkfifo(run / "rank-00003.journal")
        os.mkfifo(run / "rank-00000.db-journal")  # SQLite's own, beside a good trace
        os.mkfifo(run / "rank-00001.db-wal")
        (run / "rank-00004.db").mkdir()
        for words, code in ((("report", run), 0), (("query", run, "processes"), 0), (("convert", run), 1)):
            done = self.call(*words)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual(sorted(done.stderr.splitlines()),
                             [f"callsign: {run}/rank-0000{name} is not a regular file; left out" for name in ("2.db", "3.journal", "4.db")])
        self.assertIn("3 of 5 rank files could not be read", self.call("report", run).stdout)

    def test_damage_anywhere_never_crashes_the_command(self):
        run = fixture.make_run(self.folder, ranks=2)
        whole = (run / "rank-00001.db").read_bytes()
        dice = random.Random(2)
        for _ in range(25):
            broken = bytearray(whole)
            for _ in range(dice.choice((1, 10, 1000))):
                broken[dice.randrange(100, len(broken))] = dice.randrange(256)
            (run / "rank-00001.db").write_bytes(broken)
            for path in (run, run / "rank-00001.db"):
                done = self.call("report", path)
                self.assertIn(done.returncode, (0, 1), done.stderr)

    def test_single_damaged_trace_is_refused(self):
        run = fixture.make_run(self.folder, ranks=1)
        rank = run / "rank-00000.db"
        os.truncate(rank, rank.stat().st_size // (2 * fixture.PAGE) * fixture.PAGE)
        self.refuse("report", rank, saying=("rank-00000.db", "damaged"))

    def test_newer_trace_asks_for_a_newer_callsign(self):
        run = fixture.make_run(self.folder, ranks=1)
        fixture.make_trace(run / "rank-00001.db", 1, extra=lambda db: db.execute("PRAGMA user_version = 99"))
        self.refuse("report", run / "rank-00001.db", saying=("newer callsign", "99"))
        done = self.call("report", run)
        self.assertIn("newer callsign", done.stderr)
        self.assertIn("solver: 1 rank ", done.stdout)

    def test_trace_that_lacks_a_column_is_left_out(self):
        run = fixture.make_run(self.folder, ranks=1)
        fixture.make_trace(run / "rank-00001.db", 1, 2, extra=lambda db: db.executescript(
            "DROP TABLE pcontrol; CREATE TABLE pcontrol (rank INT, at_ns INT)"))
        done = self.call("query", run, "SELECT count(*) AS n FROM process", "-f", "csv")
        self.assertEqual(done.stdout, "n\n1\n")
        self.assertIn("rank-00001.db is damaged: it has no table pcontrol", done.stderr)

    def test_many_files_with_one_fault_take_a_few_lines(self):
        run = fixture.make_run(self.folder, ranks=1)
        fixture.make_trace(run / "rank-00001.db", 1, 2, extra=lambda db: db.execute("PRAGMA user_version = 99"))
        for rank in range(2, 9):
            shutil.copy(run / "rank-00001.db", run / f"rank-{rank:05}.db")
        (run / "rank-00009.db").write_bytes(b"noise" * 1000)
        lines = self.call("query", run, "SELECT count(*) AS n FROM process", "-f", "csv").stderr.splitlines()
        self.assertEqual([line for line in lines if "newer callsign" in line and "rank-0000" in line], lines[:3])
        self.assertEqual(lines[3], "callsign: and 5 more files for the same reason")
        self.assertIn("rank-00009.db is damaged", lines[4])
        self.assertEqual(len(lines), 5)

    def test_two_files_of_the_same_rank_are_not_added_up(self):
        run = fixture.make_run(self.folder, ranks=1)
        shutil.copy(run / "rank-00000.db", run / "rank-00001.db")
        done = self.call("query", run, "SELECT sum(calls) AS n FROM profile", "-f", "json")
        self.assertEqual(json.loads(done.stdout), [{"n": 1211}])
        self.assertIn("rank-00001.db claims to be rank 0", done.stderr)


if __name__ == "__main__":
    unittest.main()
