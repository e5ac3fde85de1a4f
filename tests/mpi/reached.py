"""Ways to reach an MPI other than a program in C that is linked with it: those of Julia's MPI.jl, of mpi4py's wheel for all MPIs, of
MPItrampoline. Run for each flavour; programs/julia.c, programs/chosen.py and programs/translat*.[ch] say what each does."""

import os
import pathlib
import sys
import unittest

import harness

MPI = os.environ["CS_TEST_MPI"]
HERE = pathlib.Path(__file__).resolve().parent
SITES = "SELECT DISTINCT location FROM sites JOIN call_times c USING (site) WHERE c.name = 'MPI_Allreduce'"


class Reached(unittest.TestCase):
    def setUp(self):
        temporary = harness.workspace()
        self.folder = temporary.__enter__()
        self.addCleanup(temporary.cleanup)

    def launch(self, *words, message=None, **more):
        """Runs it bare and recorded on two ranks; the recorded run. A callsign that changed anything, or said another thing than message, fails."""
        bare = harness.mpirun(2, *words, extra=more, cwd=self.folder)
        self.assertEqual(bare.code, 0, bare.stdout + bare.stderr)
        recorded = harness.mpirun(2, *words, extra={**more, **harness.recording(self.folder)}, cwd=self.folder)
        self.assertEqual(harness.unaffected(bare, recorded, message), [])
        return recorded

    def program(self, name):
        return os.path.join(harness.PROGRAMS, name)

    def under_run(self, *words):
        """The same under `callsign run`, which cannot see from the program what MPI it will have."""
        env = harness.base_environment(**harness.recording(self.folder))
        del env["LD_PRELOAD"]
        done = harness.run([harness.COMMAND, "run", "--", *harness.launcher(2), *words], env, self.folder)
        self.assertEqual(done.code, 0, done.stderr)

    @unittest.skipIf(harness.SANITIZER, "sanitizers refuse RTLD_DEEPBIND")
    def test_julia_finds_functions_by_name_and_calls_them_from_generated_code(self):
        self.launch(self.program("julia"), MPI)
        self.assertEqual(harness.compare(self.folder, 2), [])
        for path in harness.databases(self.folder).values():
            with harness.open_trace(path) as trace:
                [(place,)] = trace.execute(SITES)
                # Generated code is in no file: its address is all there is.
                self.assertRegex(place, "^0x[0-9a-f]+$")

    @unittest.skipIf(harness.SANITIZER, "sanitizers refuse RTLD_DEEPBIND")
    def test_julia_under_the_command(self):
        self.under_run(self.program("julia"), MPI)
        self.assertEqual(harness.compare(self.folder, 2), [])

    @unittest.skipIf(harness.SANITIZER, "Python itself is not built with the sanitizer")
    def test_a_package_that_looks_which_mpi_there_is_sees_what_it_sees_without_callsign(self):
        words = [HERE / "programs" / "chosen.py", MPI, self.program("chosen.so"), "3"]
        recorded = self.launch(sys.executable, *words)
        self.assertEqual([line.startswith("already there: False;") for line in recorded.lines()], 2 * [True] + 2 * [False], recorded.stdout)
        self.assertEqual(harness.compare(self.folder, 2), [])

    @unittest.skipIf(harness.SANITIZER, "Python itself is not built with the sanitizer")
    def test_such_a_package_under_the_command(self):
        self.under_run(sys.executable, HERE / "programs" / "chosen.py", MPI, self.program("chosen.so"), "3")
        self.assertEqual(harness.compare(self.folder, 2), [])

    @unittest.skipIf(harness.SANITIZER, "Python itself is not built with the sanitizer")
    def test_mpi4py_itself_chooses_what_it_chooses_without_callsign(self):
        python = harness.python_with("mpi4py._mpiabi")
        if not python:
            self.skipTest("no Python here has an mpi4py that chooses (4.1)")
        script = "import sys; from mpi4py import _mpiabi; print('chosen:', _mpiabi._get_mpiabi_from_libmpi(sys.argv[1]))"
        recorded = self.launch(python, "-c", script, MPI)
        self.assertEqual({line.split(":")[0] for line in recorded.lines()}, {"chosen"})

    @unittest.skipIf(harness.SANITIZER, "sanitizers refuse RTLD_DEEPBIND")
    def test_a_translator_between_mpis_is_left_alone_and_named(self):
        self.launch(self.program("translated"), TRANSLATOR_PLUGIN=self.program("translator_plugin.so"),
                    message=r"^callsign: .*libmpitrampoline\.so defines MPI_Init but is no MPI that callsign knows: nothing is recorded$")
        self.assertEqual(list((self.folder / "out").iterdir()), [])

    def test_the_doctor_says_so_before(self):
        done = harness.run([harness.COMMAND, "doctor", "--", self.program("translated")])
        self.assertEqual(done.code, 1, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^PROBLEM +libmpitrampoline\.so translates calls for another MPI")


if __name__ == "__main__":
    unittest.main()
