"""The line about too many communicators: said once, by the right one, with the place; and never without need."""

import re
import unittest

import harness

LINE = re.compile(r"callsign: rank (\d) has (\d+) communicators that are not freed, (\d+) of them created at (.*): see `callsign report")


class Crowd(unittest.TestCase):
    def setUp(self):
        workspace = harness.workspace()
        self.folder = workspace.__enter__()
        self.addCleanup(workspace.__exit__, None, None, None)

    def record(self, *arguments, limit=None, ranks=2):
        """callsign's lines on stderr; the program must run as it does bare."""
        bare = harness.mpirun(ranks, "crowd", *arguments)
        extra = {} if limit is None else {"CALLSIGN_WARN_COMMUNICATORS": str(limit)}
        recorded = harness.mpirun(ranks, "crowd", *arguments, extra={**harness.recording(self.folder), **extra})
        self.assertEqual((bare.code, bare.lines()), (0, recorded.lines()), bare.stderr)
        self.assertEqual(recorded.code, 0, recorded.stderr)
        return recorded.messages()

    def test_collective_leak_is_one_line_that_names_the_place_of_most(self):
        (line,) = self.record("few", "6", "world", "12", "few", "9", limit=20)
        rank, alive, most, place = LINE.match(line).groups()
        self.assertEqual((rank, alive, most), ("0", "21", "12"))
        offset = int(re.fullmatch(r"hoard \(crowd\+0x([0-9a-f]+)\)", place)[1], 16)
        (path, *_) = harness.databases(self.folder).values()
        with harness.open_trace(path) as trace:
            places = trace.execute("SELECT f.offset, count(*) FROM object o JOIN site s USING (site) JOIN frame f USING (frame) "
                                   "WHERE o.kind = 'communicator' AND NOT predefined GROUP BY 1").fetchall()
        self.assertIn((offset, 12), places)

    def test_one_process_tells_for_all_of_communicators_of_their_own(self):
        (line,) = self.record("self", "30", limit=20, ranks=4)
        self.assertEqual(LINE.match(line).groups()[1:3], ("21", "21"))

    def test_rank_that_alone_has_too_many_tells(self):
        (line,) = self.record("last", "30", limit=20, ranks=3)
        self.assertEqual(LINE.match(line).groups()[:3], ("2", "21", "21"))

    def test_number_that_is_reached_and_not_passed_is_no_matter(self):
        self.assertEqual(self.record("world", "20", "free", "15", "world", "15", limit=20), [])

    def test_communicators_that_are_freed_do_not_count(self):
        self.assertEqual(self.record("world", "15", "free", "15", "world", "15", "free", "15", limit=20), [])

    def test_zero_is_never(self):
        self.assertEqual(self.record("world", "30", limit=0), [])

    def test_thousand_is_the_limit_if_nothing_is_said(self):
        self.assertEqual(self.record("world", "1000", ranks=1), [])
        (line,) = self.record("world", "1010", ranks=1)
        self.assertEqual(LINE.match(line).groups()[:3], ("0", "1001", "1001"))

    def test_what_is_no_number_is_one_line(self):
        lines = self.record("world", "3", limit="few", ranks=3)
        self.assertEqual(lines, ["callsign: CALLSIGN_WARN_COMMUNICATORS=few is not a whole number below 1000000000: using 1000"])

    def test_line_about_a_setting_appears_once_where_nothing_can_be_written(self):
        file = self.folder / "file"
        file.write_text("", encoding="utf-8")
        bad = {**harness.recording(self.folder), "CALLSIGN_CLOCK": "sundial", "CALLSIGN_OUTPUT": str(file)}
        lines = harness.mpirun(3, "crowd", "world", "3", extra=bad).messages()
        self.assertEqual(sum("CALLSIGN_CLOCK" in line for line in lines), 1, lines)


if __name__ == "__main__":
    unittest.main()
