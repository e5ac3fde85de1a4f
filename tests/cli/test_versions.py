"""Traces of version 4, which knew no failed attribute calls, no processors and nobody who was left out of a communicator: alone, and together
with those of today."""
import pathlib
import sqlite3
import unittest

import fixture
from support import CommandTest

VERSION_4 = (pathlib.Path(__file__).parent / "trace_version_4.sql").read_text(encoding="utf-8")
TODAY = int(fixture.SCHEMA.split("PRAGMA user_version = ")[1].split(";")[0])
NEW_VIEWS = ("exclusions", "comparisons", "pending_requests", "rank_processors", "processor_names")


def fill_version_4(db):
    """Attributes and a move as version 4 told them: the key of a row without error, the move without a number."""
    fixture.insert(db, "keyval", rank=1, kind="communicator", keyval=10, name="MPI_TAG_UB", created_ns=0, created=1)
    for operation, found, kind, value in (("get", 1, "integer", 32767), ("get", 0, "none", 0), ("set", 1, "address", 4096)):
        fixture.insert(db, "attribute", rank=1, object=1, keyval=10, operation=operation, found=found, value_kind=kind, value=value, site=0,
                       calls=3, first_ns=1, last_ns=2)
    fixture.insert(db, "placement", rank=1, at_ns=fixture.SECOND, thread=0, reason="moved", cpu=3)


class Versions(CommandTest):
    def setUp(self):
        super().setUp()
        self.run_folder = fixture.make_run(self.folder, ranks=1)
        self.old = self.run_folder / "rank-00001.db"
        fixture.make_trace(self.old, 1, 2, schema=VERSION_4, extra=fill_version_4)

    def test_trace_of_version_4_is_read_alone_and_with_those_of_today(self):
        for path, ranks in ((self.old, [1]), (self.run_folder, [0, 1])):
            self.assertEqual([row["rank"] for row in self.ask(path, "SELECT rank FROM process ORDER BY rank")], ranks)
            self.assertEqual(self.ask(path, "SELECT operation, key, found, answer, error, sum(calls) AS calls FROM attributes WHERE rank = 1 "
                                            "GROUP BY 1, 2, 3 ORDER BY 1, 3"),
                             [{"operation": "get", "key": "MPI_TAG_UB", "found": 0, "answer": "not set", "error": None, "calls": 3},
                              {"operation": "get", "key": "MPI_TAG_UB", "found": 1, "answer": "32767", "error": None, "calls": 3},
                              {"operation": "set", "key": "MPI_TAG_UB", "found": 1, "answer": None, "error": None, "calls": 3}])
            self.assertEqual(self.ask(path, "SELECT moves, cpus, start_cpu FROM placements WHERE rank = 1"),
                             [{"moves": 1, "cpus": "1,2,3", "start_cpu": 1}])
            for view in NEW_VIEWS:
                self.assertEqual(self.ask(path, f"SELECT count(*) AS n FROM {view}"), [{"n": 0}], view)

    def test_every_report_is_made_of_a_trace_of_version_4(self):
        for path in (self.old, self.run_folder):
            self.assertIn("rows", self.answer("report", path))
            for report in fixture.REPORTS:
                self.answer("report", path, report)

    def test_merged_versions_are_one_database_of_today(self):
        self.answer("merge", self.run_folder, "-o", self.folder / "both.db")
        both = sqlite3.connect(self.folder / "both.db")
        self.addCleanup(both.close)
        self.assertEqual(both.execute("PRAGMA user_version").fetchone(), (TODAY,))
        self.assertEqual(both.execute("SELECT rank, sum(calls) FROM profile GROUP BY rank").fetchall(), [(0, 1211), (1, 1211)])
        self.assertEqual(both.execute("SELECT count(*) FROM attribute WHERE rank = 1 AND error IS NULL AND kind IS NULL").fetchone(), (3,))
        self.assertEqual(self.ask(self.folder / "both.db", "SELECT count(*) AS n FROM process"), [{"n": 2}])

    def test_trace_of_version_4_stays_as_it_is(self):
        before = self.old.read_bytes()
        self.answer("report", self.run_folder)
        self.assertEqual(self.old.read_bytes(), before)


if __name__ == "__main__":
    unittest.main()
