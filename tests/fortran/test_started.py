"""A program that begins MPI in the module mpi_f08, and calls it nowhere else, is recorded however callsign is put before it."""

import os
import re
import unittest

import harness

PROGRAM = os.path.join(harness.PROGRAMS, "started")
SITES = "SELECT location FROM call_times c JOIN sites USING (site) WHERE c.name = ?"
ROW = "SELECT created_by, freed_by FROM objects WHERE name = 'row'"


class Started(unittest.TestCase):
    def setUp(self):
        temporary = harness.workspace()
        self.folder = temporary.__enter__()
        self.addCleanup(temporary.cleanup)

    def agree(self, begins):
        """Both ranks' traces have all calls of the program, from its first to its last."""
        traces = harness.databases(self.folder)
        self.assertEqual(len(traces), 2)
        expected = {name: 1 for name in ("MPI_Comm_rank", "MPI_Comm_split", "MPI_Comm_set_name", "MPI_Allreduce", "MPI_Comm_free", "MPI_Finalize", begins)}
        for path in traces.values():
            with harness.open_trace(path) as trace:
                self.assertEqual(trace.execute("SELECT outcome FROM process").fetchall(), [("finalized",)])
                self.assertEqual(dict(trace.execute("SELECT function, sum(calls) FROM calls GROUP BY 1")), expected)
                self.assertEqual(trace.execute(ROW).fetchall(), [("MPI_Comm_split", "MPI_Comm_free")])
                [(place,)] = trace.execute(SITES, (begins,))
                self.assertRegex(place, r"^started(\+0x| started\.F90:)|^MAIN__")

    def test_the_program_has_no_other_way_into_mpi(self):
        names = harness.run(["nm", "-D", "--undefined-only", PROGRAM]).stdout.split()
        functions = [name for name in names if re.match("p?mpir?_", name, re.I) and not re.match("mpi(fcmb|_fortran_|f08_|_f08_)", name, re.I)]
        self.assertGreaterEqual(len(functions), 8, names)
        self.assertEqual([name for name in functions if "_f08" not in name], [])

    def test_preloaded(self):
        for how, begins in (("init", "MPI_Init"), ("thread", "MPI_Init_thread")):
            with self.subTest(how):
                self.setUp()
                bare = harness.mpirun(2, PROGRAM, how, cwd=self.folder)
                recorded = harness.mpirun(2, PROGRAM, how, extra=harness.recording(self.folder), cwd=self.folder)
                self.assertEqual(bare.code, 0, bare.stderr)
                self.assertEqual(harness.unaffected(bare, recorded), [])
                self.agree(begins)

    @unittest.skipIf(harness.SANITIZER, "the command would have to be preloaded with the sanitizer, launchers with it")
    def test_by_the_command_before_and_behind_the_launcher(self):
        run = [harness.COMMAND, "run", "--"]
        for words in ([*run, *harness.launcher(2), PROGRAM, "init"], [*harness.launcher(2), *run, PROGRAM, "init"]):
            self.setUp()
            env = harness.base_environment(**harness.recording(self.folder))
            del env["LD_PRELOAD"]
            done = harness.run(words, env, self.folder)
            self.assertEqual(done.code, 0, done.stderr)
            self.agree("MPI_Init")

    def test_the_doctor_sees_it(self):
        done = harness.run([harness.COMMAND, "doctor", "--", PROGRAM])
        self.assertEqual(done.code, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^calls MPI +started: \d+ from Fortran \(mpi_f08\)$")


if __name__ == "__main__":
    unittest.main()
