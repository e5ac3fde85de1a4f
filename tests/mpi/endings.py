"""What the overview says of ranks that hang, and of those that died."""

import os
import re
import subprocess
import time
import unittest

import harness


class Endings(unittest.TestCase):
    def setUp(self):
        workspace = harness.workspace()
        self.folder = workspace.__enter__()
        self.addCleanup(workspace.__exit__, None, None, None)

    def report(self):
        (run,) = harness.run_folders(self.folder)
        result = harness.run([harness.COMMAND, "report", run, "endings"])
        self.assertEqual((result.code, result.stderr), (0, ""))
        return result.stdout.splitlines()

    def record(self, *arguments):
        recorded = harness.mpirun(3, "stuck", *arguments, extra=harness.recording(self.folder))
        self.assertNotEqual(recorded.code, 0)
        (run,) = harness.run_folders(self.folder)
        harness.seal(run)
        return self.report()

    def test_circle_of_receives_can_be_read(self):
        lines = self.record("recv", "2")
        self.assertEqual(len(lines), 3, lines)
        for rank, line in enumerate(lines):
            self.assertRegex(line, rf"^Rank {rank} died in MPI_Recv on solver from rank {(rank + 1) % 3}, tag 7.*, at main stuck.c:\d+, entered after [\d.]+ m?s$")

    def test_wait_has_the_peer_and_tag_of_its_request(self):
        for rank, line in enumerate(self.record("wait", "2")):
            self.assertRegex(line, rf"^Rank {rank} died in MPI_Wait on solver with any rank, tag {8 + rank}.*, at main stuck.c:\d+, entered after ")

    def test_rank_that_died_while_it_computed_is_told_with_its_last_call(self):
        first, second, third = self.record("die")
        self.assertRegex(first, r"^Rank 1 died outside MPI, last heard of after .*; last call: MPI_Barrier on solver, at main stuck.c:\d+$")
        self.assertRegex(second, r"^Ranks 0,2 died in MPI_Barrier on MPI_COMM_WORLD, at main stuck.c:\d+, entered after ")
        self.assertEqual(third, "Probably rank 1 died first: it was outside MPI, and the others waited for somebody")

    @unittest.skipIf(harness.SANITIZER, "the launcher is not run through harness.mpirun")
    def test_hang_can_be_read_while_it_lasts(self):
        command = [*harness.launcher(3), os.path.join(harness.PROGRAMS, "stuck"), "recv", "60"]
        with subprocess.Popen(command, env=harness.base_environment(**harness.recording(self.folder)), start_new_session=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                for _ in harness.bounded.moments(40):
                    began = len(list((self.folder / "out").glob("*.callsign/rank-*.journal"))) == 3
                    lines = self.report() if began else []
                    if len([line for line in lines if "in MPI_Recv" in line]) == 3:
                        break
                time.sleep(1)
                lines = self.report()
            finally:
                harness.bounded.end(process)
        for rank, line in enumerate(lines):
            found = re.match(rf"Rank {rank} is running, in MPI_Recv on solver from rank {(rank + 1) % 3}, tag 7.*, at main stuck.c:\d+, for ([\d.]+) s$",
                             line)
            self.assertTrue(found, lines)
            self.assertGreaterEqual(float(found[1]), 1)
        self.assertEqual(len(lines), 3)


if __name__ == "__main__":
    unittest.main()
