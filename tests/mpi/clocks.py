"""Three simulated hosts whose clocks are apart by seconds and drift: on the axis of the merged run they are not. Run for each flavour."""

import pathlib
import statistics
import sys

import harness
import hosts
from two_hosts import OnHosts

ROUNDS = 100
MILLISECOND = 1_000_000
# On a busy machine ranks that wait are interrupted in most barriers, for milliseconds. Then the errors are larger, and true all the same: what
# is good enough grows with the load, as all limits do.
ATTEMPTS = 5


class ThreeClocks(OnHosts):
    """The first is right, so that true times can be told; a second has been running wrong for a day."""

    count = 3
    clocks = {"csb": hosts.Clock(2_000_000_000, 50_000, 86_400_000_000_000), "csc": hosts.Clock(-2_000_000_000, -50_000)}
    ranks = 3

    def merged(self):
        run = self.record(self.ranks, "clocked")
        self.assertEqual(harness.compare(self.folder, self.ranks), [])
        return run

    def instants(self, run):
        """{(rank, number): ns on the axis of the run}. In each round a rank marks two: it sends; it has received."""
        rows = [list(map(int, row.split(","))) for row in
                self.ask(run, "SELECT rank, row_number() OVER (PARTITION BY rank ORDER BY at_ns) - 1, at_ns FROM pcontrol")]
        return {(rank, number): ns for rank, number, ns in rows}

    def errors(self, run):
        return [int(row) for row in self.ask(run, "SELECT clock_error_ns FROM process ORDER BY rank")]

    def true_times(self):
        """{(rank, number): (ns before, ns after)}, by the clock that is right."""
        times = {}
        for path in pathlib.Path(self.folder, "facts").glob("true.*"):
            for number, line in enumerate(path.read_text(encoding="ascii").splitlines()):
                before, after = map(int, line.split("\t"))
                times[int(path.suffix[1:]), number] = before, after
        return times

    def test_clocks_are_found_and_no_message_arrives_before_it_was_sent(self):
        for _ in range(ATTEMPTS):
            errors = self.check_run()
            print(f"errors: {errors} ns", file=sys.stderr)
            if max(errors) < MILLISECOND * harness.bounded.factor():
                return
        self.fail(f"after a hundred barriers clocks are known to {max(errors)} ns, in {ATTEMPTS} runs")

    def check_run(self):
        """Records a run and checks all but how large the errors are: those."""
        with harness.workspace() as self.folder:
            run = self.merged()
            errors, instants, times = self.errors(run), self.instants(run), self.true_times()
            self.assertEqual(errors[0], 0)
            self.assertEqual(len(times), self.ranks * 2 * ROUNDS)
            for rank in range(self.ranks):
                to = (rank + 1) % self.ranks
                early = max(instants[rank, 2 * i] - instants[to, 2 * i + 1] for i in range(ROUNDS))
                self.assertLessEqual(early, errors[rank] + errors[to], f"from rank {rank} to {to}")
            self.assert_true(errors, instants, times)
            self.assert_offsets(run)
            self.assertEqual(self.ask(run, "SELECT * FROM clock_contradictions"), [])
            return errors

    def assert_true(self, errors, instants, times):
        """Each instant is the true one, but for its error. The zero of the axis is what rank 0 says of its own."""
        zero = statistics.median(instants[0, number] - sum(times[0, number]) // 2 for rank, number in times if rank == 0)
        for (rank, number), (before, after) in times.items():
            ns = instants[rank, number] - zero
            unsure = errors[rank] + 20_000  # rank 0 was interrupted now and then
            self.assertTrue(before - unsure <= ns <= after + unsure, f"rank {rank}, {number}: {ns - before} to {ns - after}, error {errors[rank]}")

    def assert_offsets(self, run):
        """The view has them: a day of drift, and what each clock was wrong by."""
        rows = {row.split(",")[0]: row.split(",")[1:] for row in
                self.ask(run, "SELECT node, offset_ns, drift_ppb, contradiction_ns IS NULL FROM clocks")}
        self.assertEqual(sorted(rows), ["csa", "csb", "csc"])
        for host, offset in (("csa", 0), ("csb", -2_000_000_000 - 4_320_000_000), ("csc", 2_000_000_000)):
            self.assertLess(abs(int(rows[host][0]) - offset), 20 * MILLISECOND, rows)
            self.assertEqual(rows[host][2], "1")

    def test_report_of_the_folder_and_of_the_merged_file_say_the_same(self):
        run = self.merged()
        merged = self.folder / "merged.db"
        self.assertEqual(harness.run([harness.COMMAND, "merge", run, "-o", merged]).code, 0)
        for query in ("SELECT * FROM clocks", "SELECT rank, zero_utc_ns, clock_offset_ns, clock_drift_ppb, clock_error_ns, began_ns, "
                      "last_seen_ns, started_utc FROM process", "SELECT * FROM synchronization", "SELECT * FROM balance"):
            self.assertEqual(self.ask(run, query), self.ask(merged, query), query)
        lines = [harness.run([harness.COMMAND, "report", path, "run"]).stdout for path in (run, merged)]
        self.assertEqual(*lines)
        self.assertIn("The clocks of the nodes differ by up to 8.32 s", lines[0])


if __name__ == "__main__":
    import unittest
    unittest.main()
