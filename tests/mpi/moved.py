"""Programs that change their folder before they call MPI, and programs that are built anew before anybody asks. Run for each flavour."""

import os
import pathlib
import shutil
import unittest

import harness

LINE = "was rebuilt after the run: its call sites are shown without function and line"


@unittest.skipIf(harness.SANITIZER, "the launcher is not run through harness.mpirun")
class Moved(unittest.TestCase):
    def setUp(self):
        temporary = harness.workspace()
        self.folder = temporary.__enter__()
        self.addCleanup(temporary.cleanup)

    def run_in_folder(self, *words, **settings):
        extra = {**harness.recording(self.folder), **settings}
        result = harness.run(words, harness.base_environment(**extra), self.folder)
        self.assertEqual(result.code, 0, result.stderr)
        return result

    def wander(self, *before, **settings):
        """Runs two ranks that go elsewhere; the folders in which runs are, relative to where they were started."""
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        self.run_in_folder(*harness.launcher(2), *before, os.path.join(harness.PROGRAMS, "wanders"), str(elsewhere), **settings)
        self.assertEqual(list(elsewhere.iterdir()), [])
        return sorted(str(path.parent.relative_to(self.folder)) for path in self.folder.rglob("*.callsign"))

    def test_relative_output_is_where_the_program_began(self):
        self.assertEqual(self.wander(CALLSIGN_OUTPUT="there"), ["there"])

    def test_relative_run_folder_is_where_the_program_began(self):
        self.assertEqual(self.wander(CALLSIGN_OUTPUT="", CALLSIGN_RUN="deep/here.callsign"), ["deep"])

    def test_run_folder_lies_in_a_relative_output(self):
        self.assertEqual(self.wander(CALLSIGN_OUTPUT="there", CALLSIGN_RUN="mine.callsign"), ["there"])

    def test_relative_output_of_callsign_run_inside_a_launcher(self):
        self.assertEqual(self.wander(harness.COMMAND, "run", "--output", "rel2", "--", LD_PRELOAD=""), ["rel2"])

    # ---- built anew ----

    def report(self):
        (run,) = harness.run_folders(self.folder)
        result = harness.run([harness.COMMAND, "report", run, "call_sites"], harness.base_environment(), self.folder)
        self.assertEqual((result.code, result.stderr), (0, ""))
        return result.stdout

    def record(self, *before, **settings):
        """Records a copy of a program, which can be replaced then."""
        self.program = pathlib.Path(shutil.copy(os.path.join(harness.PROGRAMS, "counting"), self.folder / "h2"))
        self.run_in_folder(*before, *harness.launcher(2), str(self.program), "5", **settings)

    def build_anew(self):
        self.program.unlink()
        shutil.copy(os.path.join(harness.PROGRAMS, "ending"), self.program)

    def test_program_that_was_built_anew_is_said_to_be(self):
        self.record()
        self.build_anew()
        text = self.report()
        self.assertEqual(text.count(LINE), 1, text)
        self.assertIn(f"{self.program} {LINE}", " ".join(text.split()))
        self.assertIn("h2+0x", text)

    def test_the_same_build_is_none_however_new_its_file(self):
        self.record()
        self.program.unlink()
        shutil.copy(os.path.join(harness.PROGRAMS, "counting"), self.program)
        text = self.report()
        self.assertNotIn(LINE, text)
        self.assertIn("counting.c:", text)

    def test_callsign_run_looks_lines_up_when_the_job_ends(self):
        self.record(harness.COMMAND, "run", "--", LD_PRELOAD="")
        self.build_anew()
        text = self.report()
        self.assertIn("counting.c:", text)
        self.assertNotIn(LINE, text)

    def test_without_a_build_id_a_newer_file_is_another_build(self):
        self.program = self.folder / "h2"
        original = os.path.join(harness.PROGRAMS, "counting")
        stripped = harness.run(["objcopy", "--remove-section", ".note.gnu.build-id", original, str(self.program)])
        if stripped.code != 0:
            self.skipTest("no objcopy")
        self.run_in_folder(*harness.launcher(2), str(self.program), "5")
        run, = harness.run_folders(self.folder)
        copy = self.folder / "copy"
        shutil.copytree(run, copy)
        self.assertIn("counting.c:", harness.run([harness.COMMAND, "report", copy, "call_sites"]).stdout)
        later = os.stat(self.program).st_mtime + 3600
        os.utime(self.program, (later, later))
        text = self.report()
        self.assertEqual(text.count(LINE), 1, text)
        self.assertNotIn("counting.c:", text)


if __name__ == "__main__":
    unittest.main()
