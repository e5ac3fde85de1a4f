"""The program of the README and the tutorial: callsign finds its three faults, and says nothing else against it."""

import json
import subprocess
import unittest

import harness

RANKS = 4
CHECKPOINTS = 10


class Tutorial(unittest.TestCase):
    def setUp(self):
        workspace = harness.workspace()
        self.folder = workspace.__enter__()
        self.addCleanup(workspace.__exit__, None, None, None)

    def ask(self, sql):
        (run,) = harness.run_folders(self.folder)
        result = harness.run([harness.COMMAND, "query", run, sql, "--format", "json"])
        self.assertEqual((result.code, result.stderr), (0, ""))
        return json.loads(result.stdout)

    def test_report_has_the_slow_communicator_and_the_leak(self):
        bare = harness.mpirun(RANKS, "heat")
        recorded = harness.mpirun(RANKS, "heat", extra=harness.recording(self.folder))
        self.assertEqual(bare.code, 0, bare.stderr)
        self.assertEqual(harness.unaffected(bare, recorded), [])
        first = self.ask("SELECT communicator, size, ranks FROM communicator_time LIMIT 1")
        self.assertEqual(first, [{"communicator": "ring", "size": RANKS, "ranks": RANKS}])
        (leak,) = self.ask("SELECT kind, created_by, objects, location FROM leaks_by_site")
        self.assertRegex(leak.pop("location"), r"^checkpoint( \(inlined into main\))? heat\.c:54$")
        self.assertEqual(leak, {"kind": "communicator", "created_by": "MPI_Comm_dup", "objects": RANKS * CHECKPOINTS})
        self.assertEqual(self.ask("SELECT * FROM traffic_differences"), [])

    def test_deadlock_is_claimed_while_it_lasts(self):
        if harness.SANITIZER:
            self.skipTest("the launcher is not run through harness.mpirun")
        command = [*harness.launcher(RANKS), f"{harness.PROGRAMS}/heat", "hang"]
        with harness.bounded.start(command, env=harness.base_environment(**harness.recording(self.folder)), start_new_session=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                said = ""
                for _ in harness.bounded.moments(60):
                    runs = harness.run_folders(self.folder)
                    said = harness.run([harness.COMMAND, "hang", *runs]).stdout if runs else ""
                    if "Deadlock: ranks 0-3 wait for each other\n" in said:
                        break
                self.assertIn("Deadlock: ranks 0-3 wait for each other\n", said)
                self.assertRegex(said, r"0 \(pid \d+ on \S+\) waits for 3: MPI_Recv on ring from rank 3, tag 8, .* heat\.c:61\n")
            finally:
                harness.bounded.end(process)


if __name__ == "__main__":
    unittest.main()
