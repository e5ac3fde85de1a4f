"""Programs that were built with a sanitizer: recorded, it finds their errors and no others. Run for each flavour."""

import os
import pathlib
import re
import shutil
import unittest

import harness

SOURCE = pathlib.Path(__file__).resolve().parent / "programs" / "sanitized.c"
# Leaks of the MPI stay leaks. Locks of Open MPI are taken in several orders, which sometimes is reported.
OPTIONS = {"ASAN_OPTIONS": "symbolize=0:exitcode=3:detect_leaks=0", "TSAN_OPTIONS": "symbolize=0:exitcode=0",
           "UBSAN_OPTIONS": "halt_on_error=0", "UCX_MEM_EVENTS": "no"}
LEAKS = {**OPTIONS, "ASAN_OPTIONS": "symbolize=0:exitcode=3"}
WITHOUT_ORDER = {**OPTIONS, "ASAN_OPTIONS": OPTIONS["ASAN_OPTIONS"] + ":verify_asan_link_order=0"}
FOUND = {"address,undefined": r"(?s)runtime error: signed integer overflow.*AddressSanitizer: heap-buffer-overflow",
         "thread": r"SUMMARY: ThreadSanitizer: data race \(\S*/sanitized\b"}


@unittest.skipIf(harness.SANITIZER, "callsign itself was built with a sanitizer")
class Sanitized(unittest.TestCase):
    def setUp(self):
        temporary = harness.workspace()
        self.folder = temporary.__enter__()
        self.addCleanup(temporary.cleanup)

    def build(self, compiler, kinds):
        if not shutil.which(compiler):
            self.skipTest(f"no {compiler}")
        program = self.folder / "sanitized"
        done = harness.run([os.environ["CS_TEST_MPICC"], "-g", "-rdynamic", f"-fsanitize={kinds}", SOURCE, "-o", program, "-lpthread"],
                           harness.base_environment(OMPI_CC=compiler, MPICH_CC=compiler))
        if done.code and "-fsanitize" not in done.stderr and re.search(r"cannot find|no such file", done.stderr, re.I):
            self.skipTest(f"{compiler} has no runtime for {kinds}")
        self.assertEqual(done.code, 0, done.stderr)
        return program

    def count_traces(self):
        traces = [path for folder in harness.run_folders(self.folder) for path in folder.glob("*.db")]
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        return len(traces)

    def expect(self, compiler, kinds):
        """Its own errors are found, and none where it has none."""
        program = self.build(compiler, kinds)
        extra = {**WITHOUT_ORDER, **harness.recording(self.folder)}
        clean = harness.mpirun(0, program, extra=extra, cwd=self.folder)
        self.assertEqual((clean.code, clean.lines(), clean.messages()), (0, ["done"], []), clean.stderr)
        self.assertNotRegex(clean.stderr, r"(?m)^ *#[01] .*callsign")
        self.assertEqual(self.count_traces(), 1)
        wrong = harness.mpirun(0, program, "errors", extra=extra, cwd=self.folder)
        self.assertRegex(f"code {wrong.code}: {wrong.stderr}", FOUND[kinds])
        self.count_traces()
        return program

    @unittest.skipIf(harness.FLAVOUR == "openmpi", "with the other MPI")
    def test_gcc_thread(self):
        self.expect("gcc", "thread")

    @unittest.skipIf(harness.FLAVOUR == "mpich", "with the other MPI")
    def test_clang_thread(self):
        self.expect("clang", "thread")

    @unittest.skipIf(harness.FLAVOUR == "openmpi", "with the other MPI")
    def test_clang_address(self):
        self.expect("clang", "address,undefined")

    def test_gcc_address(self):
        self.under_the_command(self.expect("gcc", "address,undefined"))

    def under_the_command(self, program):
        """Nothing has to be set, the launcher is not looked at, and what leaks is the MPI's."""
        env = harness.base_environment(**LEAKS, **harness.recording(self.folder))
        del env["LD_PRELOAD"]
        bare = harness.run([*harness.launcher(1), program], harness.base_environment(**LEAKS), self.folder)
        done = harness.run([harness.COMMAND, "run", "-q", "--", *harness.launcher(1), program], env, self.folder)
        self.assertEqual(harness.unaffected(bare, done), [])
        self.assertEqual(*[run.stderr.count("SUMMARY: AddressSanitizer") for run in (bare, done)])
        self.assertNotRegex(done.stderr, r"(?m)^ *#1 .*callsign")
        self.assertEqual(self.count_traces(), 1)


if __name__ == "__main__":
    unittest.main()
