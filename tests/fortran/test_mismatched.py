"""Ranks in Fortran and a rank in C make the same collective calls with other datatypes: no mismatch. One wrong argument of a Fortran call is found."""

import json
import os
import sys
import unittest

import harness

BINDING = sys.argv.pop(1)
PROGRAM = os.path.join(harness.PROGRAMS, f"mismatched_{BINDING}")


class Mismatched(unittest.TestCase):
    def found(self, wrong):
        """(kind, number of the call, communicator, ranks) of each group of ranks, in this program."""
        with harness.workspace() as folder:
            recorded = harness.mpirun(3, PROGRAM, wrong, extra=harness.recording(folder), cwd=folder)
            self.assertEqual(recorded.code, 0, recorded.stderr)
            (run,) = harness.run_folders(folder)
            rows = json.loads(harness.run([harness.COMMAND, "report", run, "checks", "--format", "json"]).stdout)
            return [(row["kind"], row["number"], row["communicator"], row["ranks"]) for row in rows]

    def test_other_datatypes_of_equal_elements_match(self):
        self.assertEqual(self.found("none"), [])

    def test_wrong_argument_is_found(self):
        for wrong in ("operation", "type"):
            with self.subTest(wrong):
                self.assertEqual(self.found(wrong), [(wrong, 5, "rows", "0,2"), (wrong, 5, "rows", "1")])


if __name__ == "__main__":
    unittest.main()
