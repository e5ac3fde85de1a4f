"""Libraries opened with RTLD_DEEPBIND call MPI past callsign: the run says so. Run for each flavour."""

import os
import unittest

import harness

DEEP = os.path.join(harness.PROGRAMS, "deepbind_first.so")
PLAIN = os.path.join(harness.PROGRAMS, "deepbind_second.so")
LINE = "callsign: calls of {} were not recorded: opened with RTLD_DEEPBIND, a library finds the MPI before callsign"


@unittest.skipIf(harness.SANITIZER, "sanitizers refuse RTLD_DEEPBIND")
class Deepbind(unittest.TestCase):
    def setUp(self):
        temporary = harness.workspace()
        self.folder = temporary.__enter__()
        self.addCleanup(temporary.cleanup)

    def record(self, *arguments):
        """callsign's messages; and from the lowest rank's trace the number of barriers and the libraries noted as not recorded."""
        bare = harness.mpirun(2, "deepbind", *arguments, cwd=self.folder)
        recorded = harness.mpirun(2, "deepbind", *arguments, extra=harness.recording(self.folder), cwd=self.folder)
        self.assertEqual((bare.code, recorded.code), (0, 0), recorded.stderr)
        self.assertEqual(bare.lines(), recorded.lines())
        for path in sorted(harness.databases(self.folder).values()):
            with harness.open_trace(path) as trace:
                (barriers,) = trace.execute("SELECT count(*) FROM profile JOIN function f USING (function) WHERE f.name = 'MPI_Barrier'").fetchone()
                noted = [value for (value,) in trace.execute("SELECT value FROM meta WHERE key = 'not_recorded'")]
                yield barriers, noted
        self.said = recorded.messages()

    def test_a_library_that_calls_past_callsign_is_told_by_one_rank_and_noted_by_all(self):
        self.assertEqual(list(self.record("deep", DEEP, "plain", PLAIN)), [(1, [DEEP])] * 2)
        self.assertEqual(self.said, [LINE.format(DEEP)])

    def test_several_are_one_line(self):
        self.assertEqual(list(self.record("deep", DEEP, "deep", PLAIN)), [(0, [f"{DEEP}:{PLAIN}"])] * 2)
        self.assertEqual(self.said, [LINE.format(DEEP + " and 1 more")])

    def test_others_are_no_word_worth(self):
        self.assertEqual(list(self.record("plain", DEEP, "plain", PLAIN)), [(1, [])] * 2)
        self.assertEqual(self.said, [])


if __name__ == "__main__":
    unittest.main()
