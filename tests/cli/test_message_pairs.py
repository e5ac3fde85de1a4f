"""The view message_pairs: callsign joins sends and receives as SQL does."""
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
TIMES = 4000  # 140,000 events: they are read in two slices of time


class MessagePairs(CommandTest):
    def both_ways(self, database):
        """What SQL and what callsign find in this trace."""
        path = self.folder / "run.db"
        path.unlink(missing_ok=True)
        database.commit()
        with contextlib.closing(sqlite3.connect(path)) as file:
            database.backup(file)
            sql = [list(row) for row in file.execute("SELECT * FROM message_pairs")]
        return sorted(sql, key=str), sorted((list(row.values()) for row in self.ask(path, "SELECT * FROM message_pairs")), key=str)

    def test_are_those_of_sql(self):
        database = growth_of_views.repeated("wait_states", TIMES)
        dice = random.Random(SEED)
        for table, column in (("event", "event"), ("event_message", "message")):
            numbers = [number for (number,) in database.execute(f"SELECT DISTINCT {column} FROM {table}")]
            lost = json.dumps(dice.sample(numbers, len(numbers) // 10))
            database.execute(f"DELETE FROM {table} WHERE {column} IN (SELECT value FROM json_each(?))", (lost,))
        sql, found = self.both_ways(database)
        self.assertGreater(len(sql), 4 * TIMES, f"seed {SEED}")
        self.assertEqual(found, sql, f"seed {SEED}")

    def test_of_two_equal_messages_are_left_to_sql(self):
        database = growth_of_views.repeated("wait_states", 2)
        database.execute("INSERT INTO event SELECT rank, thread, 999999, function, object, site, start_ns, duration_ns, calls, inside_ns, peer, tag, bytes, collective, direction, nth"
                         " FROM event WHERE direction = 'send' ORDER BY start_ns LIMIT 1")
        sql, found = self.both_ways(database)
        self.assertEqual(found, sql)

    def test_all_that_shows_events_says_once_how_many_threads_have_none(self):
        database = growth_of_views.repeated("wait_states", 1)
        database.execute("DELETE FROM thread")
        database.execute("INSERT INTO thread (rank, thread, threads, state, calls, mpi_ns) SELECT DISTINCT rank, thread, 1, 'ended', 1, 1 FROM event")
        path = self.folder / "run.db"
        for others in (0, 2):
            database.executemany("INSERT INTO thread (rank, thread, threads, state, calls, mpi_ns) VALUES (0, ?, 1, 'ended', 1, 1)", [(100 + i,) for i in range(others)])
            (threads,) = database.execute("SELECT count(*) FROM thread").fetchone()
            self.both_ways(database)
            page = self.folder / "page.html"
            self.answer("report", path, f"--html={page}")
            for text in (page.read_text(), *(self.answer(*words) for words in (["report", path, "waits"], ["report", path, "efficiency"],
                                                                                ["report", path, "critical_path"], ["timeline", path]))):
                self.assertEqual(text.count("have no events"), others > 0)
                self.assertEqual(text.count(f"{others} of {threads} threads of these ranks have no events: "), others > 0)


if __name__ == "__main__":
    unittest.main()
