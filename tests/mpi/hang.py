"""The output of callsign hang for ranks that wait for each other, while they do."""

import contextlib
import json
import os
import re
import signal
import subprocess
import time
import unittest

import harness
import golden

RANKS = 4


class Hang(unittest.TestCase):
    def setUp(self):
        workspace = harness.workspace()
        self.folder = workspace.__enter__()
        self.addCleanup(workspace.__exit__, None, None, None)

    def ask(self, *run):
        """The lines of callsign hang: of that run, or of the newest where the runs are, which stderr names."""
        result = harness.run([harness.COMMAND, "hang", *run], cwd=self.folder / "out")
        self.assertEqual(result.code, 0)
        self.assertRegex(result.stderr, r"\A\Z" if run else r"\Acallsign: no run was given: .*\.callsign\n\Z")
        return result.stdout.splitlines()

    def shows(self, lines):
        """The lines are as expected, but for what differs from run to run and from compiler to compiler."""
        golden.check(self, "hang", [line.replace("TIME to TIME", "TIME") for line in golden.steady(lines)])

    def calls(self):
        """The calls in which threads are now, with the seconds since."""
        folders = harness.run_folders(self.folder)
        result = harness.run([harness.COMMAND, "query", *folders, "SELECT call, (seen_ns - since_ns) / 1e9 FROM waits ORDER BY 1", "-f", "csv"])
        rows = result.stdout.splitlines()[1:] if folders and result.code == 0 else []
        return [(name, float(seconds)) for name, seconds in (row.split(",") for row in rows)]

    def waits_for_a_second(self, expected):
        """True if the ranks have been in these calls for a second."""
        calls = self.calls()
        return [call for call, _ in calls] == expected and min(seconds for _, seconds in calls) > 1.2

    def has_come_to_its_steps(self):
        folders = harness.run_folders(self.folder)
        sql = "SELECT count(*) FROM calls WHERE communicator = 'MPI_COMM_SELF' AND calls > 100"
        return folders and harness.run([harness.COMMAND, "query", *folders, sql, "-f", "csv"]).stdout.splitlines()[1:] == ["4"]

    @contextlib.contextmanager
    def hanging(self, how, expected):
        """The program in the background, as soon as the journals say that its ranks have been in these calls for a second."""
        with self.going(how, lambda: self.waits_for_a_second(expected)):
            yield

    @contextlib.contextmanager
    def going(self, how, is_ready):
        """The program in the background, as soon as it is ready."""
        if harness.SANITIZER:
            self.skipTest("the launcher is not run through harness.mpirun")
        command = [*harness.launcher(RANKS), os.path.join(harness.PROGRAMS, "hung"), how, "90"]
        with harness.bounded.start(command, env=harness.base_environment(**harness.recording(self.folder)), start_new_session=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                for _ in harness.bounded.moments(40):
                    if is_ready():
                        break
                yield
            finally:
                harness.bounded.end(process)

    def test_deadlock_over_two_communicators_is_explained(self):
        began = time.monotonic()
        with self.hanging("deadlock", ["MPI_Barrier", "MPI_Recv", "MPI_Recv", "MPI_Wait"]):
            lines = self.ask()
            passed = time.monotonic() - began
            (run,) = harness.run_folders(self.folder)
            report = harness.run([harness.COMMAND, "report", run, "--format", "json"])
        self.assertEqual((report.code, report.stderr), (0, ""))
        found = [finding for finding in json.loads(report.stdout)["findings"] if finding["kind"] == "deadlock"]
        self.assertEqual([(row["ranks"], row["processes"], row["severity"], row["seconds"] > 1) for row in found], [("0-3", 4, 1, True)])
        self.shows(lines)
        seconds = [float(number) for number in re.findall(r", for ([\d.]+) s", "\n".join(lines))]
        self.assertEqual(len(seconds), 6, lines)
        self.assertTrue(all(1 < number < passed for number in seconds), (passed, lines))

    def test_member_that_does_not_come_to_a_barrier_is_named(self):
        with self.hanging("barrier", ["MPI_Barrier"] * 3):
            (run,) = harness.run_folders(self.folder)
            lines = self.ask(run)
            os.kill(int(re.search(r"rank 2 \(pid (\d+)", lines[1])[1]), signal.SIGSTOP)  # ended with the job
            self.assertIn("stopped by a signal outside MPI", self.ask(run)[1])
        self.shows(lines)

    def test_end_of_mpi_is_a_collective_of_all(self):
        with self.hanging("finalize", ["MPI_Finalize"] * 3):
            lines = self.ask()
        self.shows([line.replace("without a core", "computing") for line in lines])  # four ranks share the cores

    def test_ranks_that_move_are_not_put_together(self):
        with self.going("steps", self.has_come_to_its_steps):
            lines = self.ask()
        self.assertRegex(lines[1], r"^All 4 ranks entered or left MPI calls between two looks, [\d.]+ s apart$")
        self.assertEqual(lines[2], "All 4 ranks moved while they were read: each is shown at another moment")
        self.assertFalse([line for line in lines if "member" in line or "missing" in line or "eadlock" in line], lines)

    def test_member_that_was_killed_is_named(self):
        recorded = harness.mpirun(RANKS, "hung", "killed", extra=harness.recording(self.folder))
        self.assertNotEqual(recorded.code, 0)
        (run,) = harness.run_folders(self.folder)
        harness.convert(run)
        lines = self.ask(run)
        # The launcher may end rank 0 before it comes to its call, on a machine that is busy.
        self.shows([lines[0], *(line for line in lines if line.startswith("  missing: rank 1,"))])
        self.assertNotIn("eadlock", "".join(lines))


if __name__ == "__main__":
    unittest.main()
