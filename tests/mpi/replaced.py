"""Programs that replace malloc, or export functions of the libraries that callsign uses. Run for each flavour."""

import os
import pathlib
import unittest

import harness

SOURCE = pathlib.Path(__file__).resolve().parent / "programs" / "replaced.c"
LINE = SOURCE.read_text(encoding="utf-8").split("/* at */")[0].count("\n") + 1
MALLOC = os.path.join(harness.PROGRAMS, "replacing_malloc.so")


@unittest.skipIf(harness.SANITIZER, "a sanitizer replaces malloc, too")
class Replaced(unittest.TestCase):
    def setUp(self):
        temporary = harness.workspace()
        self.folder = temporary.__enter__()
        self.addCleanup(temporary.cleanup)

    def record(self, program, *arguments, preload=None, message=None):
        """Runs it bare and recorded, with a rule for which callsign reads debug information; the journals that were left."""
        rules = self.folder / "names.rules"
        rules.write_text(f"at=replaced.c:{LINE} -> found\n", encoding="utf-8")
        bare = harness.mpirun(0, program, *arguments, extra={"LD_PRELOAD": preload} if preload else {}, cwd=self.folder)
        self.assertEqual((bare.code, bare.lines()), (0, ["done"]), bare.stderr)
        extra = harness.recording(self.folder)
        if preload:
            extra["LD_PRELOAD"] += ":" + preload
        recorded = harness.mpirun(0, program, *arguments, extra={**extra, "CALLSIGN_NAMES": str(rules)}, cwd=self.folder)
        self.assertEqual(harness.unaffected(bare, recorded, message), [])
        journals = [path for folder in harness.run_folders(self.folder) for path in folder.glob("*.journal")]
        [trace] = harness.databases(self.folder).values()
        with harness.open_trace(trace) as rows:
            [(name, frames)] = rows.execute("SELECT n.name, (SELECT count(*) FROM stacks s WHERE s.site = o.site) FROM naming n "
                                            "JOIN object o USING (object) WHERE n.origin = 'rule'")
        self.assertEqual(name, "found")
        self.assertGreater(frames, 1)
        return journals

    def test_a_malloc_that_is_preloaded(self):
        self.assertEqual(self.record("replaced", preload=MALLOC), [])

    def test_a_malloc_that_is_linked(self):
        self.assertEqual(self.record("replaced_linked"), [])

    def test_a_malloc_and_other_libraries_inside_the_program(self):
        self.assertEqual(self.record("replaced_inside"), [])

    def test_a_library_that_the_program_mixed_with_its_own_is_not_used(self):
        journals = self.record("replaced_inside", "libsqlite3.so.0",
                               message="not converted: `callsign convert` does it .the program replaces functions of libraries that callsign needs")
        self.assertEqual(len(journals), 1)


if __name__ == "__main__":
    unittest.main()
