"""Libraries that call MPI past callsign: the run says so. They are opened with RTLD_DEEPBIND, or are tools that come before callsign. Run for each
flavour."""

import os
import unittest

import harness

DEEP = os.path.join(harness.PROGRAMS, "deepbind_first.so")
PLAIN = os.path.join(harness.PROGRAMS, "deepbind_second.so")
TOOL = os.path.join(harness.PROGRAMS, "libmpitool.so")
EARLY = os.path.join(harness.PROGRAMS, "deepbind_early_tool.so")
IN_FRONT = f"callsign: calls of {TOOL} and 1 more were not recorded: its own MPI functions come before callsign and call PMPI_ functions. Preload callsign first"
LINE = "callsign: calls of {} were not recorded: opened with RTLD_DEEPBIND, a library finds the MPI before callsign"


class Past(unittest.TestCase):
    """Correct programs that call PMPI_ names, or MPI_ functions of their own. Nothing is claimed about calls that nobody saw."""

    def setUp(self):
        temporary = harness.workspace()
        self.folder = temporary.__enter__()
        self.addCleanup(temporary.cleanup)

    def claims(self, program, *words):
        result = harness.mpirun(3, program, *words, extra={**harness.recording(self.folder), "CALLSIGN_EVENTS": "keep"}, cwd=self.folder)
        self.assertEqual(result.code, 0, result.stderr)
        (run,) = harness.run_folders(self.folder)
        harness.convert(run)
        check = harness.run([harness.COMMAND, "check", run])
        # All but what depends on the load of the machine.
        rows = harness.run([harness.COMMAND, "query", run, "SELECT kind, subject, ranks FROM findings WHERE kind NOT IN "
                            "('not_recorded', 'oversubscribed', 'mpi_time', 'mpi_percent', 'other_percent', 'data_between_ranks', 'moved', 'bound_badly', 'cores_wait', "
                            "'no_cores') AND kind NOT GLOB 'late_*' AND kind NOT GLOB 'wait_*' AND kind NOT GLOB 'gain*'", "--format", "csv"])
        return check.code, check.stdout, rows.stdout.splitlines()[1:], result.messages()

    def test_calls_by_their_pmpi_names(self):
        code, said, found, messages = self.claims("past", "pmpi")
        path = os.path.join(harness.PROGRAMS, "past")
        self.assertEqual(found, [f'library_not_recorded,"{path} (PMPI_Barrier, PMPI_Comm_free, PMPI_Send)",0-2'])
        self.assertEqual(code, 3, said)
        self.assertRegex(said, r"\AUndecided: MPI calls from [^\n]* may be missing, because callsign does not see them: ranks 0-2\n\Z")
        self.assertEqual(messages, [f"callsign: calls of {path} were not recorded: they have PMPI_ names, which no tool sees"])

    def test_functions_of_the_program(self):
        code, said, found, _ = self.claims("past_own", "own")
        path = os.path.join(harness.PROGRAMS, "past_own")
        self.assertEqual(found, [f'library_not_recorded,"{path} (PMPI_Barrier, PMPI_Send)",0-2'])
        self.assertEqual(code, 3, said)

    def test_by_their_names_and_in_a_library_that_was_unloaded(self):
        library, path = os.path.join(harness.PROGRAMS, "past_library.so"), os.path.join(harness.PROGRAMS, "past")
        code, said, found, messages = self.claims("past", "looked", library)
        self.assertEqual(found, [f"library_not_recorded,{path} (PMPI_Send),0",
                                 f'library_not_recorded,"{library}, {path} (PMPI_Barrier, PMPI_Send)","1,2"'])
        self.assertEqual(code, 3, said)
        self.assertEqual(messages, [f"callsign: calls of {path} may not be recorded: it could make them by PMPI_ names, which no tool sees"])

    def test_who_could_and_does_not_is_judged(self):
        code, said, found, messages = self.claims("past", "none")
        self.assertEqual(found, [])
        self.assertEqual((code, messages), (0, []), said)


@unittest.skipIf(harness.SANITIZER, "sanitizers refuse RTLD_DEEPBIND")
class Deepbind(unittest.TestCase):
    def setUp(self):
        temporary = harness.workspace()
        self.folder = temporary.__enter__()
        self.addCleanup(temporary.cleanup)

    def record(self, *arguments, preload=""):
        """callsign's messages; and from each rank's trace the number of barriers and the libraries noted as not recorded. preload: a tool's library
        and a colon, before callsign."""
        settings = harness.recording(self.folder)
        settings["LD_PRELOAD"] = preload + settings["LD_PRELOAD"]
        bare = harness.mpirun(2, "deepbind", *arguments, extra={"LD_PRELOAD": preload}, cwd=self.folder)
        recorded = harness.mpirun(2, "deepbind", *arguments, extra=settings, cwd=self.folder)
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

    def test_tools_before_callsign_are_another_reason(self):
        found = list(self.record("deep", DEEP, "plain", PLAIN, preload=f"{TOOL}:{EARLY}:"))
        self.assertEqual(found, [(0, [f"{TOOL}:{EARLY}:{DEEP}"])] * 2)
        self.assertEqual(self.said, [LINE.format(DEEP), IN_FRONT])

    def test_others_are_no_word_worth(self):
        self.assertEqual(list(self.record("plain", DEEP, "plain", PLAIN)), [(1, [])] * 2)
        self.assertEqual(self.said, [])


if __name__ == "__main__":
    unittest.main()
