"""callsign's names outside its own command: in the MPI's messages. Run for each flavour."""

import re
import unittest

import harness


class Shown(unittest.TestCase):
    def setUp(self):
        self.temporary = harness.workspace()
        self.folder = self.temporary.__enter__()
        self.addCleanup(self.temporary.cleanup)

    def test_message_about_an_error_names_the_communicator(self):
        # Open MPI's launcher loses the last words of a rank that aborts, one time in ten on a busy machine, also of bare ones.
        for _ in range(10):
            result = harness.mpirun(1, "hidden", "shared", "fatal", extra=harness.recording(self.folder), cwd=self.folder)
            self.assertNotEqual(result.code, 0)
            if re.search(r"comm=0x|on communicator", result.stderr):
                break
        names = {}
        for path in harness.databases(self.folder).values():
            with harness.open_trace(path) as trace:
                names.update(trace.execute("SELECT handle, name FROM object WHERE kind = 'communicator' AND freed_ns IS NULL"))
        if harness.FLAVOUR == "mpich":
            if harness.ABI:
                self.skipTest("MPICH tells a handle of its own there, which is none of the program's")
            # It tells the handle and never a name; the trace knows the handle.
            said = names[int(re.search(r"comm=0x([0-9a-f]+)", result.stderr)[1], 16)]
        else:
            said = re.search(r"on communicator (.*)", result.stderr)[1]
        self.assertEqual(said, "MPI_COMM_WORLD.dup2")


if __name__ == "__main__":
    unittest.main()
