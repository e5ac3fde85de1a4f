"""One figure has one value: on the overview, in reports, in JSON, on the page and in SQL."""
import pathlib
import shutil
import sqlite3
import unittest

import fixture
import figures
import scaled_run
from support import COMMAND, CommandTest

EVERY = 3  # of the traces of tests/sql: tests/support/figures.py looks at others by hand


class Figures(CommandTest):
    def compare(self, run, tables=True):
        self.assertEqual(figures.Screens(COMMAND, run, self.folder, self.environment()).compare_all(tables), [])

    def test_traces_of_all_kinds(self):
        traces = [path for path in sorted(fixture.CASES.glob("*/trace.sql")) if not path.is_symlink()][::EVERY]
        self.assertGreaterEqual(len(traces), 20)
        for i, trace in enumerate(traces):
            with self.subTest(trace.parent.name):
                path = self.folder / f"{trace.parent.name}.db"
                with sqlite3.connect(path) as db:
                    db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + fixture.MERGED + trace.read_text(encoding="utf-8"))
                    fixture.function_table.complete(db)
                    db.executescript((fixture.TREE / "tests/support/sums.sql").read_text(encoding="utf-8"))
                db.close()
                self.compare(path, tables=i % (EVERY * 2) == 0)

    def test_run_of_many_ranks(self):
        recorded = fixture.make_run(self.folder)
        run = self.folder / "scaled.callsign"
        scaled_run.make(scaled_run.plan_of(recorded, run, 24, per_node=6, late={3: 5}, leak={7: 7}, seed=3))
        shutil.rmtree(recorded)
        self.compare(pathlib.Path(run))

    def test_a_figure_that_differs_is_seen(self):
        run = fixture.make_run(self.folder)
        self.answer("merge", run, "-o", "all.db")
        self.compare(self.folder / "all.db")
        with sqlite3.connect(self.folder / "all.db") as db:
            db.execute("UPDATE summary SET time_ns = time_ns * 3 WHERE part = 'function'")
            db.execute("UPDATE rank_time SET sent_bytes = sent_bytes + 1")
        db.close()
        found = figures.Screens(COMMAND, self.folder / "all.db", self.folder, self.environment()).compare_all()
        self.assertTrue([problem for problem in found if problem.startswith("calls and time of a function")], found)
        self.assertTrue([problem for problem in found if problem.startswith("all seconds")], found)


if __name__ == "__main__":
    unittest.main()
