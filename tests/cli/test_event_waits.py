"""What callsign computes from events in one pass is what SQL finds (tests/support/event_waits.sql)."""
import contextlib
import json
import random
import sqlite3
import sys
import unittest

import fixture
from support import CommandTest

sys.path.append(str(fixture.TREE / "tests/sql"))
import growth_of_views  # noqa: E402  (the path must be set first)

SEED = 1
TIMES = 40
CASES = ("wait_states", "wait_states_between_groups", "wait_states_of_lone_requests", "wait_states_of_persistent_sends", "wait_states_of_probes", "window_waits")
VIEWS = ("message_pairs", "collective_times", "wait_states", "wait_sums")


def ordered(rows):
    return sorted((list(row) for row in rows), key=str)


class OfEvents(CommandTest):
    def write(self, database):
        path = self.folder / "run.db"
        path.unlink(missing_ok=True)
        database.commit()
        with contextlib.closing(sqlite3.connect(path)) as file:
            database.backup(file)
        return path

    def compare(self, database, message):
        """The number of rows of each view, which are those of SQL."""
        path = self.write(database)
        database.executescript((fixture.TREE / "tests/support/event_waits.sql").read_text(encoding="utf-8"))
        for view in VIEWS:
            found = ordered(row.values() for row in self.ask(path, f"SELECT * FROM {view}"))
            self.assertEqual(found, ordered(database.execute(f"SELECT * FROM sql_{view}")), f"{view}, {message}")
            yield view, len(found)

    def test_rows_are_those_of_sql_if_some_events_are_lost(self):
        rows = dict.fromkeys(VIEWS, 0)
        for seed, case in enumerate(CASES, SEED):
            dice = random.Random(seed)
            database = growth_of_views.repeated(case, TIMES, computed=False)
            for table, column in (("event", "event"), ("event_message", "message"), ("event_completion", "entry")):
                numbers = [each for (each,) in database.execute(f"SELECT DISTINCT {column} FROM {table}")]
                lost = json.dumps(dice.sample(numbers, len(numbers) // 10))
                database.execute(f"DELETE FROM {table} WHERE {column} IN (SELECT value FROM json_each(?))", (lost,))
            for view, count in self.compare(database, f"case {case}, seed {seed}"):
                rows[view] += count
        self.assertGreater(min(rows.values()), 4 * TIMES)

    def test_all_that_shows_events_says_once_how_many_threads_have_none(self):
        database = growth_of_views.repeated("wait_states", 1, computed=False)
        database.execute("DELETE FROM thread")
        database.execute("INSERT INTO thread (rank, thread, threads, state, calls, mpi_ns) SELECT DISTINCT rank, thread, 1, 'ended', 1, 1 FROM event")
        path = self.folder / "run.db"
        for others in (0, 2):
            database.executemany("INSERT INTO thread (rank, thread, threads, state, calls, mpi_ns) VALUES (0, ?, 1, 'ended', 1, 1)", [(100 + i,) for i in range(others)])
            (threads,) = database.execute("SELECT count(*) FROM thread").fetchone()
            self.write(database)
            page = self.folder / "page.html"
            self.answer("report", path, f"--html={page}")
            for text in (page.read_text(), *(self.answer(*words) for words in (["report", path, "waits"], ["report", path, "efficiency"],
                                                                                ["report", path, "critical_path"], ["timeline", path]))):
                self.assertEqual(text.count("have no events"), others > 0)
                self.assertEqual(text.count(f"{others} of {threads} threads of these ranks have no events: "), others > 0)


if __name__ == "__main__":
    unittest.main()
