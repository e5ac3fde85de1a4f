"""Waits between ranks of two simulated hosts whose clocks are eight seconds apart: found with rank, line and seconds, as on one node; also after
kill -9. Run for each flavour."""

import unittest

import events
import harness
import hosts
from two_hosts import OnHosts

WORLD_RANKS = [0, 2, 1]  # of the ranks of team


class Across(events.Planted, OnHosts):
    clocks = {"csb": hosts.Clock(8_000_000_000)}
    planted = {key: (function, WORLD_RANKS[cause]) for key, (function, cause) in events.PLANTED.items() if key[1] not in events.WINDOWED + events.BRIDGED}
    waiting = 22

    def record(self, *program, **settings):
        result = harness.mpirun_on(self.hosts, 4, "waiting", "across", *program, extra={**harness.recording(self.folder), **settings}, cwd=self.folder)
        self.assertEqual(result.messages(), [])
        (run,) = harness.run_folders(self.folder)
        harness.convert(run)
        (node,) = self.query(run, "SELECT count(*) AS nodes, max(offset_ns) - min(offset_ns) AS apart, max(error_ns) AS error FROM clocks")
        self.assertEqual(node["nodes"], 2)
        self.assertAlmostEqual(node["apart"] / 1e9, 8, places=1)
        self.assertLess(node["error"], 20_000_000)
        return run, result

    def test_waits_across_nodes_are_explained(self):
        run, result = self.record(CALLSIGN_EVENTS="keep")
        self.check_planted(run, result.stdout)
        self.check_path(run)
        report = harness.run([harness.COMMAND, "report", run, "waits", "--format", "json"], cwd=self.folder).stdout
        self.assertIn("late_sender", report)

    def test_waits_across_nodes_are_explained_after_a_kill(self):
        run, result = self.record("kill")
        self.check_planted(run, result.stdout)
        self.assertIn("died", {row["outcome"] for row in self.query(run, "SELECT outcome FROM processes")})


if __name__ == "__main__":
    unittest.main()
