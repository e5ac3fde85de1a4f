"""A program in Fortran names its regions by MPI_Pcontrol."""

import os
import unittest

import harness

PROGRAM = os.path.join(harness.PROGRAMS, "regions_mpif_h")


class Regions(unittest.TestCase):
    def test_a_region_has_the_calls_between_begin_and_end(self):
        with harness.workspace() as folder:
            bare = harness.mpirun(2, PROGRAM, cwd=folder)
            recorded = harness.mpirun(2, PROGRAM, extra=harness.recording(folder), cwd=folder)
            self.assertEqual(bare.code, 0, bare.stderr)
            self.assertEqual(harness.unaffected(bare, recorded), [])
            traces = harness.databases(folder)
            self.assertEqual(len(traces), 2)
            for path in traces.values():
                with harness.open_trace(path) as trace:
                    self.assertEqual(trace.execute("SELECT path, entries FROM region").fetchall(), [("solve", 3)])
                    self.assertEqual(trace.execute("SELECT sum(calls) FROM region_profile JOIN function USING (function) WHERE name = 'MPI_Allreduce'").fetchall(),
                                     [(3,)])
                    self.assertEqual(trace.execute("SELECT sum(calls) FROM calls WHERE function = 'MPI_Allreduce'").fetchall(), [(4,)])


if __name__ == "__main__":
    unittest.main()
