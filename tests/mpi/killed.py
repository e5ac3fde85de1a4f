"""Processes that are killed at random instants (programs/endless.c): every event in the trace is whole, and none is missing between others. Run for each
flavour.

    killed.py [KILLS [SEED]]    by hand, with the environment that tests/mpi/CMakeLists.txt sets
"""

import json
import random
import subprocess
import sys
import time
import unittest

import harness

ROUND = ("MPI_Irecv", "MPI_Issend", "MPI_Waitall", "MPI_Allreduce", "MPI_Comm_rank")
WAYS = ({"CALLSIGN_RING": "64K"}, {"CALLSIGN_RING": "64K", "CALLSIGN_EVENTS": "all"}, {"CALLSIGN_RING": "64K", "CALLSIGN_EVENTS": "all", "CALLSIGN_EVENT_LIMIT": "256K"})
EVENTS_SQL = ("SELECT e.event, f.name AS function, e.start_ns AS start, e.duration_ns AS duration, e.tag, e.bytes, e.collective, e.nth "
              "FROM event e LEFT JOIN function f USING (function) ORDER BY e.event")
OTHERS_SQL = ("SELECT message AS entry, event, posted, bytes, tag, nth FROM event_message "
              "UNION ALL SELECT entry, event, posted, NULL, NULL, NULL FROM event_completion ORDER BY 1")


@unittest.skipIf(harness.SANITIZER, "the recording needs the launcher preloaded with the sanitizer")
class Killed(unittest.TestCase):
    def kill_one(self, way, seconds):
        """Number of events."""
        with harness.workspace() as folder:
            env = harness.base_environment(**harness.recording(folder), **WAYS[way])
            with harness.bounded.start([f"{harness.PROGRAMS}/endless"], env=env, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL) as process:
                try:
                    self.assertEqual(process.stdout.readline(), b"runs\n")
                    time.sleep(seconds)
                finally:
                    process.kill()
            (run,) = harness.run_folders(folder)
            harness.convert(run)
            self.query = lambda sql: json.loads(harness.run([harness.COMMAND, "query", "--format", "json", run, sql], cwd=folder).stdout)
            self.assertEqual(self.query("SELECT outcome, damaged FROM process"), [{"outcome": "died", "damaged": 0}])
            return self.check(self.query(EVENTS_SQL), self.query(OTHERS_SQL))

    def check(self, events, others):
        """Each event is that of its place in the rounds, from the first whole round on."""
        self.assertGreater(len(events), 3 * len(ROUND))
        # Before the first whole round, a request may have begun before the ring does: its completion has no row.
        least = next(row["event"] for row in events if row["function"] == "MPI_Irecv")
        numbers = [number for number in [row["event"] for row in events] + [row["entry"] for row in others] if number >= least]
        self.assertEqual(sorted(numbers), list(range(least, max(numbers) + 1)))
        for before, after in zip(events, events[1:]):
            self.assertGreaterEqual(after["start"], before["start"] + before["duration"])
        first = next(i for i, row in enumerate(events) if row["function"] == "MPI_Allreduce")
        shift = events[first]["collective"]  # MPI_Allreduce is the only collective call
        place, numbered = {}, {}
        for i, row in enumerate(events):
            turn, at = divmod(i - first + ROUND.index("MPI_Allreduce"), len(ROUND))
            n = shift + turn
            if n < 1:
                continue  # before the loop
            place[row["event"]] = n, at
            numbered[n, ROUND[at]] = row["event"]
            self.assertEqual(row["function"], ROUND[at])
            expected = {"MPI_Irecv": (n % 3, 64, None), "MPI_Issend": (n % 3, 4 * (1 + n % 7), None), "MPI_Waitall": (None, None, None),
                        "MPI_Allreduce": (None, 4 * (1 + n % 11), n), "MPI_Comm_rank": (None, None, None)}[ROUND[at]]
            found = (row["tag"], row["bytes"], row["collective"])
            self.assertEqual(tuple(value for value, known in zip(found, expected) if known is not None), tuple(known for known in expected if known is not None))
            if ROUND[at] == "MPI_Issend":
                self.assertIn(row["nth"], (None, n // 3 + (n % 3 > 0)))
        for row in others:
            if row["event"] not in place:
                continue
            n, at = place[row["event"]]
            self.assertEqual(ROUND[at], "MPI_Waitall")
            message = row["bytes"] is not None
            if message:
                self.assertEqual((row["bytes"], row["tag"]), (4 * (1 + n % 7), n % 3))
            self.assertIn(row["posted"], (None, numbered.get((n, "MPI_Irecv" if message else "MPI_Issend"))))
        return len(events)

    def test_a_killed_process_leaves_whole_events(self):
        chance = random.Random(26)
        for way in range(len(WAYS)):
            with self.subTest(way=WAYS[way]):
                self.kill_one(way, chance.uniform(0, 0.05))


def campaign(kills=1000, seed=26):
    """Many instants; prints those that fail."""
    chance, failed, events, began = random.Random(int(seed)), 0, 0, time.monotonic()
    for i in range(int(kills)):
        seconds = chance.uniform(0, 0.05)
        try:
            events += Killed().kill_one(i % len(WAYS), seconds)
        except AssertionError as error:
            failed += 1
            print(f"kill {i}, way {WAYS[i % len(WAYS)]}, after {seconds:.6f} s: {error}", flush=True)
    print(f"{harness.FLAVOUR}: {kills} kills, {events} events read, {failed} failed, {time.monotonic() - began:.0f} s")
    return failed > 0


if __name__ == "__main__":
    sys.exit(campaign(*sys.argv[1:]))
