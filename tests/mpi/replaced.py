"""Programs that replace malloc, or export functions of the libraries that callsign uses. Run for each flavour."""

import os
import pathlib
import unittest

import harness

SOURCE = pathlib.Path(__file__).resolve().parent / "programs" / "replaced.c"
LINE = SOURCE.read_text(encoding="utf-8").split("/* at */")[0].count("\n") + 1
LIBRARIES = "libsqlite3.so.0:libunwind.so.8:libdw.so.1"
MALLOC = os.path.join(harness.PROGRAMS, "replacing_malloc.so")


@unittest.skipIf(harness.SANITIZER, "a sanitizer replaces malloc, too")
class Replaced(unittest.TestCase):
    def setUp(self):
        temporary = harness.workspace()
        self.folder = temporary.__enter__()
        self.addCleanup(temporary.cleanup)

    def run_both(self, program, preload, message=None):
        """Runs it bare and recorded, with a rule for which callsign reads debug information; the recorded run."""
        rules = self.folder / "names.rules"
        rules.write_text(f"at=replaced.c:{LINE} -> found\n", encoding="utf-8")
        bare = harness.mpirun(0, program, extra={"LD_PRELOAD": preload}, cwd=self.folder)
        self.assertEqual((bare.code, bare.lines()), (0, ["done"]), bare.stderr)
        extra = {**harness.recording(self.folder), "CALLSIGN_NAMES": str(rules)}
        extra["LD_PRELOAD"] += ":" + preload
        recorded = harness.mpirun(0, program, extra=extra, cwd=self.folder)
        self.assertEqual(harness.unaffected(bare, recorded, message), [])
        return recorded

    def journals(self):
        return [path for folder in harness.run_folders(self.folder) for path in folder.glob("*.journal")]

    def record(self, program, preload=""):
        self.run_both(program, preload)
        self.assertEqual(self.journals(), [])
        [trace] = harness.databases(self.folder).values()
        with harness.open_trace(trace) as rows:
            [(name, frames)] = rows.execute("SELECT n.name, (SELECT count(*) FROM stacks s WHERE s.site = o.site) FROM naming n "
                                            "JOIN object o USING (object) WHERE n.origin = 'rule'")
        self.assertEqual(name, "found")
        self.assertGreater(frames, 1)

    def test_a_malloc_and_libraries_that_are_preloaded(self):
        self.record("replaced", f"{MALLOC}:{LIBRARIES}")

    def test_a_malloc_that_is_linked(self):
        self.record("replaced_linked")

    def test_a_malloc_and_functions_of_libraries_inside_the_program(self):
        self.record("replaced_inside")

    def test_libraries_that_the_program_mixes_with_its_own_functions_are_not_used(self):
        reason = r"\(?the program replaces functions of libraries that callsign needs\)?$"
        recorded = self.run_both("replaced_inside", LIBRARIES, reason)
        self.assertEqual(len(recorded.messages()), 3, recorded.stderr)
        self.assertEqual(len(self.journals()), 1)
        self.assertEqual(len(harness.databases(self.folder)), 1)


if __name__ == "__main__":
    unittest.main()
