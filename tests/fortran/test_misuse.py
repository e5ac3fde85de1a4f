"""Wrong calls in Fortran are found with their lines, and nothing else (misuse.F90, CALLSIGN_CHECK=all)."""

import json
import os
import sys
import unittest

import harness

BINDING = sys.argv.pop(1)
PROGRAM = os.path.join(harness.PROGRAMS, f"misuse_{BINDING}")


class Misuse(unittest.TestCase):
    def test_each_fault_is_found_with_its_line(self):
        with harness.workspace() as folder:
            recorded = harness.mpirun(1, PROGRAM, extra=dict(harness.recording(folder), CALLSIGN_CHECK="all"), cwd=folder)
            self.assertEqual(recorded.code, 0, recorded.stderr)
            (run,) = harness.run_folders(folder)
            rows = json.loads(harness.run([harness.COMMAND, "report", run, "checks", "--format", "json"]).stdout)
        faults = {tuple(line.split()[1:]) for line in recorded.stdout.splitlines() if line.split()[:1] == ["fault"]}
        self.assertEqual(len(faults), 4)
        if os.environ["CS_TEST_FLAVOUR"] == "openmpi":  # its freed numbers of Fortran are no handles in C
            faults = {("no_handle" if kind == "freed_handle" else kind, line) for kind, line in faults}
        self.assertEqual({(row["kind"], row["location"].rpartition(":")[2]) for row in rows if row["kind"] != "error_returned"}, faults)


if __name__ == "__main__":
    unittest.main()
