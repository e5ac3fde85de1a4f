"""The merged file of more than 512 ranks leaves the rows of `profile` in the files of ranks; questions still get all of them."""
import os
import pathlib
import shutil
import sqlite3
import tempfile
import unittest

import fixture
import scaled_run  # noqa: E402  (fixture sets the path)
from support import CommandTest

RANKS = 516
PROFILE = "SELECT * FROM profile ORDER BY rank, communicator, object, function, site, size_class"


class RankProfile(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        kept = tempfile.TemporaryDirectory()
        cls.addClassCleanup(kept.cleanup)
        recorded = fixture.make_run(pathlib.Path(kept.name))
        cls.made = pathlib.Path(kept.name) / "large.callsign"
        scaled_run.make(scaled_run.plan_of(recorded, cls.made, RANKS, late={300: 5}, leak={200: 7}))
        fixture.make_trace(cls.made / f"rank-{RANKS:05d}.db", -77, RANKS, outcome="exited")

    def setUp(self):
        super().setUp()
        self.run_folder = pathlib.Path(shutil.copytree(self.made, self.folder / "large.callsign"))

    def damage_keeping_time(self, rank):
        path = self.run_folder / f"rank-{rank:05d}.db"
        before = path.stat()
        path.write_bytes(b"0" * before.st_size)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def test_questions_get_all_rows(self):
        self.answer("merge", self.run_folder, "-o", "all.db")
        asked = (PROFILE, "SELECT count(*), sum(calls), total(time_ns) FROM call_times", "SELECT * FROM call_times WHERE rank = 5 ORDER BY function, site",
                 "SELECT * FROM calls WHERE rank = 5",
                 "SELECT rank, count(*) FROM profile WHERE rank BETWEEN 100 AND 300 OR rank < 3 GROUP BY 1 ORDER BY 1",
                 "SELECT count(*) FROM profile WHERE rank < 0", "SELECT count(*) FROM profile WHERE rank = 515.0 OR rank = '7'",
                 "SELECT p.rank, count(*) FROM process JOIN profile p USING (rank) WHERE pid % 50 = 3 GROUP BY 1 ORDER BY 1",
                 "SELECT count(*) FROM profile a JOIN profile b ON a.rank = b.rank AND b.function > a.function WHERE a.rank > 500")
        theirs = {sql: self.answer("query", "all.db", sql, "-f", "csv") for sql in asked}
        for _ in ("made", "read", "materialized"):
            for sql in asked:
                self.assertEqual(self.answer("query", self.run_folder, sql, "-f", "csv"), theirs[sql], sql)
            self.answer("report", self.run_folder)
        for report in ("functions", "communicators", "balance", "sizes", "call_sites", "churn"):
            self.assertEqual(*(self.answer("report", run, report, "--format", "json").replace(str(run), "RUN") for run in (self.run_folder, "all.db")))
        self.answer("export", self.run_folder, "--csv", "tables")
        self.answer("export", "all.db", "--csv", "all")
        self.assertEqual(*(sorted((self.folder / name / "profile.csv").read_text().splitlines()) for name in ("tables", "all")))

    def test_merged_file_has_none_of_them(self):
        self.ask(self.run_folder, "SELECT 1")
        with sqlite3.connect(self.run_folder / "merged.db") as db:
            self.assertEqual(db.execute("SELECT count(*) FROM profile WHERE rank >= 0").fetchall(), [(0,)])
            self.assertEqual(db.execute("SELECT DISTINCT rank FROM profile").fetchall(), [(-77,)])
            self.assertEqual(*(db.execute(f"SELECT sum(calls), sum(time_ns) FROM {sums}").fetchone() for sums in ("calls", "rank_time")))
            (ranks,) = db.execute("SELECT max(ranks) FROM function_time").fetchone()
            self.assertEqual(ranks, RANKS + 1)
        db.close()

    def test_merged_file_alone_says_that_it_has_no_profile(self):
        self.ask(self.run_folder, "SELECT 1")
        done = self.call("query", self.run_folder / "merged.db", "SELECT count(*) AS n FROM profile WHERE rank >= 0", "-f", "csv")
        self.assertEqual((done.returncode, done.stdout.split()), (0, ["n", "0"]))
        self.assertRegex(done.stderr, r"\Acallsign: .*/merged\.db has no profile: .* the folder of the run\n\Z")

    def test_file_that_was_left_out_has_no_rows(self):
        (self.run_folder / "rank-00003.db").write_bytes(b"noise" * 1000)
        done = self.call("query", self.run_folder, "SELECT count(DISTINCT rank) AS n FROM profile", "-f", "csv")
        self.assertEqual((done.returncode, done.stdout.split()), (0, ["n", str(RANKS)]))
        self.assertIn("rank-00003.db is damaged", done.stderr)

    def test_file_that_is_damaged_since_ends_the_question(self):
        self.ask(self.run_folder, "SELECT 1")
        self.damage_keeping_time(400)
        self.refuse("query", self.run_folder, "SELECT count(*) FROM profile", saying="rank-00400.db")
        self.assertEqual(self.ask(self.run_folder, "SELECT count(*) > 0 AS n FROM profile WHERE rank < 400"), [{"n": 1}])
        self.assertEqual(self.ask(self.run_folder, "SELECT max(ranks) AS n FROM function_time"), [{"n": RANKS + 1}])


if __name__ == "__main__":
    unittest.main()
