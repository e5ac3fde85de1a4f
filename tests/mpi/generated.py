"""Calls from code that was generated at run time: its functions have the names of the perf map, if the map can be believed. Run for each flavour."""

import pathlib
import unittest

import harness

PLAIN = r"^0x[0-9a-f]+$"


class Generated(unittest.TestCase):
    def setUp(self):
        self.temporary = harness.workspace()
        self.folder = self.temporary.__enter__()
        self.addCleanup(self.temporary.cleanup)
        self.addCleanup(self.remove_maps)
        self.maps = set()

    def remove_maps(self):
        for path in self.maps:
            path.unlink(missing_ok=True)

    def record(self, how, np=1):
        """Runs the program and converts. [(calls, location)] of its barriers, on all ranks."""
        result = harness.mpirun(np, "generated", how, extra=harness.recording(self.folder), cwd=self.folder)
        if how != "died":
            self.assertEqual(result.code, 0, result.stderr)
        self.run_folder = harness.run_folders(self.folder)[0]
        self.assertEqual(harness.run([harness.COMMAND, "convert", self.run_folder]).code, 0)
        rows = []
        for rank in range(np):
            with harness.open_trace(self.run_folder / f"rank-{rank:05}.db") as trace:
                (pid,), = trace.execute("SELECT pid FROM process")
                self.maps.add(pathlib.Path(f"/tmp/perf-{pid}.map"))
                rows += trace.execute("SELECT sum(calls), location FROM profile JOIN function u USING (function) JOIN sites USING (site) "
                                      "WHERE u.name = 'MPI_Barrier' GROUP BY location").fetchall()
        return rows

    def location(self, how):
        """The location of the calls from generated code; the one from the program's own code has its line."""
        rows = self.record(how)
        self.assertEqual({calls for calls, _ in rows}, {1, 3}, rows)
        own = {calls: location for calls, location in rows}
        self.assertRegex(own[1], r"^main generated\.c:\d+$")
        return own[3]

    def test_functions_of_the_map_have_names_that_are_equal_on_all_ranks(self):
        rows = self.record("good", np=2)
        self.assertEqual([location for calls, location in rows if calls == 3], ["barrier_of_map in generated code"] * 2)
        report = harness.run([harness.COMMAND, "report", self.run_folder, "call_sites"])
        found = [line for line in report.stdout.splitlines() if "barrier_of_map" in line]
        self.assertEqual(len(found), 1, report.stdout)
        self.assertRegex(found[0], r"MPI_Barrier +barrier_of_map in generated code .*\b6\b")

    def test_a_killed_process_has_them_too(self):
        self.assertEqual(self.location("died"), "barrier_of_map in generated code")

    def test_without_a_map_there_is_the_address(self):
        self.assertRegex(self.location("none"), PLAIN)

    def test_a_map_of_an_earlier_process_gives_no_name(self):
        self.assertRegex(self.location("stale"), PLAIN)

    def test_a_map_that_everyone_may_write_gives_no_name(self):
        self.assertRegex(self.location("foreign"), PLAIN)

    def test_a_damaged_map_gives_no_name(self):
        self.assertRegex(self.location("damaged"), PLAIN)

    def test_an_address_of_two_functions_has_no_name(self):
        self.assertRegex(self.location("twice"), PLAIN)


if __name__ == "__main__":
    unittest.main()
