"""Traces of nodes whose clocks are apart: on one axis, by synchronizing collectives that their ranks have in common."""
import unittest

import fixture
from fixture import SECOND
from support import CommandTest

WORLD, ROWS = 700, 701
DAWDLED = 100_000  # how long each call took


def calls(rank, shift_ns=0, drift=0, object=1, uid=WORLD, numbers=(1, 2, 4, 8), at=SECOND):
    """The rank's records of calls that all entered at once, on its clock. Its zero is right."""
    def insert(db):
        db.execute("UPDATE object SET uid = ? WHERE object = ?", [uid, object])
        for nth in numbers:
            true = nth * at
            fixture.insert(db, "synchronization", rank=rank, communicator=object, nth=nth, entered_ns=true + shift_ns + int(true * drift),
                           left_ns=true + DAWDLED + shift_ns + int(true * drift))
    return insert


def both(*inserts):
    def insert(db):
        for each in inserts:
            each(db)
    return insert


class Clocks(CommandTest):
    def make(self, *ranks):
        """Ranks as (node, by how much its clock is ahead, what else is in its trace)."""
        run = self.folder / "solver.clocks.callsign"
        run.mkdir()
        for rank, (node, ahead_ns, extra) in enumerate(ranks):
            fixture.make_trace(run / f"rank-{rank:05}.db", rank, len(ranks), clock_ns=ahead_ns, node=node, extra=extra)
        return run

    def clocks(self, run):
        return {row["node"]: row for row in self.ask(run, "SELECT * FROM clocks")}

    def processes(self, run):
        return self.ask(run, "SELECT * FROM process ORDER BY rank")

    def test_clock_that_is_ahead_is_put_back(self):
        run = self.make(("a", 0, calls(0)), ("b", 2 * SECOND, calls(1)))
        first, second = self.processes(run)
        self.assertEqual((first["clock_offset_ns"], first["clock_drift_ppb"], first["clock_error_ns"]), (0, 0, 0))
        self.assertLess(abs(second["clock_offset_ns"]), 1000)
        self.assertLess(abs(second["began_ns"]), 1000)
        self.assertEqual(second["clock_drift_ppb"], 0)
        self.assertTrue(DAWDLED < second["clock_error_ns"] < 2 * DAWDLED, second)
        self.assertEqual((first["started_utc"], second["started_utc"]), ("2026-09-21T14:13:20Z", "2026-09-21T14:13:18Z"))
        self.assertLess(abs(self.clocks(run)["b"]["offset_ns"] + 2 * SECOND), 1000)
        self.shows("run", self.answer("report", run, "run"))

    def test_drift_is_found_and_every_instant_moved_by_it(self):
        run = self.make(("a", 0, calls(0)), ("b", 0, calls(1, drift=400e-6)))
        rows = self.ask(run, "SELECT a.nth, a.entered_ns - b.entered_ns AS apart FROM synchronization a JOIN synchronization b USING (nth) "
                             "WHERE a.rank = 0 AND b.rank = 1")
        error = self.processes(run)[1]["clock_error_ns"]
        for row in rows:
            self.assertLessEqual(abs(row["apart"]), error, row)
        self.assertLess(abs(self.processes(run)[1]["clock_drift_ppb"] + 400_000), 30_000)

    def test_instants_of_all_tables_are_moved_and_durations_are_not(self):
        run = self.make(("a", 0, calls(0)), ("b", 2 * SECOND, calls(1, drift=400e-6)), ("b", 2 * SECOND + 500, None))
        for row in self.processes(run)[1:]:
            moved = self.ask(run, f"""SELECT p.began_ns, o.created_ns, o.freed_ns, n.at_ns AS named_ns, max(m.at_ns) AS placed_ns, p.finalize_ns, p.mpi_ns
                FROM process p JOIN object o USING (rank) JOIN naming n USING (rank, object) JOIN placement m USING (rank) WHERE rank = {row["rank"]}""")[0]
            self.assertEqual(moved.pop("mpi_ns"), 4 * SECOND)
            for (column, is_at), was_at in zip(moved.items(), (0, SECOND, 9 * SECOND, SECOND, 10 * SECOND, 10 * SECOND)):
                self.assertAlmostEqual(is_at, row["clock_offset_ns"] + was_at + was_at * row["clock_drift_ppb"] / 1e9, delta=20, msg=column)
            self.assertLess(row["clock_drift_ppb"], -300_000)

    def test_utc_that_keeps_all_bounds_stands(self):
        run = self.make(("a", 0, calls(0)), ("b", 3000, calls(1, shift_ns=-3000)))
        self.assertEqual(self.processes(run)[1]["clock_offset_ns"], 3000)
        self.shows("run", self.answer("report", run, "run"))

    def test_ranks_of_a_node_share_a_clock(self):
        def monotonic(ns):
            return lambda db: db.execute("UPDATE process SET zero_monotonic_ns = ?", [ns])
        # The time of day was set by half a second while they began; the first one's counts.
        run = self.make(("a", 0, both(calls(0), monotonic(50 * SECOND))), ("a", SECOND // 2 + 1000, monotonic(50 * SECOND + 1000)),
                        ("b", 2 * SECOND, both(calls(2), monotonic(7 * SECOND))), ("b", 2 * SECOND + 500, monotonic(7 * SECOND + 500)))
        rows = self.processes(run)
        self.assertEqual([row["clock_offset_ns"] - rows[2 * (i // 2)]["clock_offset_ns"] for i, row in enumerate(rows)], [0, 1000, 0, 500])
        self.assertEqual(rows[3]["clock_error_ns"], rows[2]["clock_error_ns"])
        self.assertEqual(rows[1]["clock_error_ns"], 0)

    def test_ranks_whose_monotonic_clocks_are_apart_are_no_neighbours(self):
        def monotonic(ns):
            return lambda db: db.execute("UPDATE process SET zero_monotonic_ns = ?", [ns])
        run = self.make(("box", 0, both(calls(0), monotonic(50 * SECOND))), ("box", 2 * SECOND, both(calls(1), monotonic(90 * SECOND))))
        self.assertLess(abs(self.processes(run)[1]["clock_offset_ns"]), 1000)

    def test_clock_that_nothing_binds_keeps_its_utc(self):
        run = self.make(("a", 0, calls(0)), ("b", 0, calls(1)), ("c", 2 * SECOND, None))
        row = self.processes(run)[2]
        self.assertEqual((row["clock_offset_ns"], row["clock_drift_ppb"], row["clock_error_ns"]), (2 * SECOND, 0, None))
        self.shows("run", self.answer("report", run, "run"))

    def test_what_contradicts_is_told_and_not_averaged(self):
        # On the second communicator rank 1 counts one call less, which is a second.
        run = self.make(("a", 0, both(calls(0), calls(0, object=2, uid=ROWS, numbers=(2, 4)))),
                        ("b", 0, both(calls(1), calls(1, object=2, uid=ROWS, numbers=(2, 4), shift_ns=SECOND))))
        row = self.processes(run)[1]
        self.assertEqual(row["clock_offset_ns"], 0)
        self.assertLess(abs(row["clock_contradiction_ns"] - SECOND), SECOND // 1000)
        self.assertGreater(row["clock_error_ns"], row["clock_contradiction_ns"])
        self.assertEqual(self.ask(run, "SELECT uid, nth, entered_rank, left_rank FROM clock_contradictions ORDER BY nth"),
                         [{"uid": ROWS, "nth": nth, "entered_rank": 1, "left_rank": 0} for nth in (2, 4)])
        self.shows("run", self.answer("report", run, "run"))

    def test_rank_with_calls_that_led_past_binds_nothing(self):
        run = self.make(("a", 0, calls(0)), ("b", 2 * SECOND, both(calls(1), lambda db: fixture.insert(
            db, "meta", rank=1, key="not_recorded", value="libx.so"))))
        self.assertEqual(self.processes(run)[1]["clock_offset_ns"], 2 * SECOND)

    def test_first_rank_that_is_damaged_is_nobodys_clock(self):
        run = self.make(("a", 0, calls(0)), ("b", 2 * SECOND, calls(1)), ("c", SECOND, calls(2)))
        (run / "rank-00000.db").write_bytes(b"SQLite format 3\0" + bytes(4000))
        done = self.call("query", run, "SELECT rank, clock_offset_ns FROM process", "-f", "csv")
        (_, first, second) = done.stdout.split()
        self.assertEqual(first, "1,0")
        self.assertLess(abs(int(second.split(",")[1])), 1000)

    def test_merged_file_says_what_the_folder_says(self):
        run = self.make(("a", 0, calls(0)), ("b", 2 * SECOND, calls(1, drift=40e-6)), ("c", -SECOND, None))
        self.answer("merge", run, "-o", self.folder / "all.db")
        for query in ("process", "clocks", "clock_contradictions", "synchronization", "SELECT * FROM naming", "SELECT * FROM objects"):
            self.assertEqual(self.answer("query", run, query, "-f", "csv"), self.answer("query", self.folder / "all.db", query, "-f", "csv"), query)
        self.assertEqual(self.answer("report", run, "run"), self.answer("report", self.folder / "all.db", "run"))

    def test_merging_a_merged_file_again_changes_nothing(self):
        run = self.make(("a", 0, calls(0)), ("b", 2 * SECOND, calls(1, drift=40e-6)))
        self.answer("merge", run, "-o", self.folder / "all.db")
        self.answer("merge", self.folder / "all.db", "-o", self.folder / "again.db")
        for table in ("process", "synchronization"):
            self.assertEqual(self.answer("query", self.folder / "all.db", table), self.answer("query", self.folder / "again.db", table))

    def test_nonsense_in_a_trace_does_no_harm(self):
        def nonsense(db):
            db.execute("UPDATE object SET uid = 700 WHERE object = 1")
            for nth, entered, left in ((1, -2**63, 2**63 - 1), (2, 2**62, -2**62), (-5, None, None), (8, "soon", b"late"), (16, 1e300, -1e300)):
                fixture.insert(db, "synchronization", rank=1, communicator=1, nth=nth, entered_ns=entered, left_ns=left)
        run = self.make(("a", 0, calls(0)), ("b", 0, nonsense))
        self.assertEqual(len(self.processes(run)), 2)


if __name__ == "__main__":
    unittest.main()
