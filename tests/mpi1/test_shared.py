"""A shared MPI without PMPI_ names, names and attributes: programs are recorded when callsign is preloaded, and get what the MPI lacks when
they are linked with it."""

import sqlite3
import unittest

import places
import harness

TREE = places.TREES["shared"]
LIB = TREE / "lib"


class Shared(unittest.TestCase):
    def setUp(self):
        workspace = harness.workspace()
        self.folder = workspace.__enter__()
        self.addCleanup(workspace.cleanup)

    def small(self):
        path = self.folder / "small"
        places.compile_program("small", path, [], [*places.WITH_CHECK, f"-L{places.LIBRARY}", "-lsmall", f"-Wl,-rpath,{places.LIBRARY}"])
        return path

    def recorded(self, program, library):
        result = harness.run([program], harness.base_environment(**harness.recording(self.folder, str(library))), self.folder)
        return result

    def test_a_program_is_recorded_with_the_library_of_all_names(self):
        self.recorded_is_true("libcallsign.so")

    def test_a_program_is_recorded_with_the_library_of_this_mpi(self):
        self.recorded_is_true("libcallsign-front-mpi.so")

    def recorded_is_true(self, library):
        program = self.small()
        bare = harness.run([program], harness.base_environment(), self.folder)
        self.assertEqual(bare.code, 0, bare.stdout)
        problems = harness.unaffected(bare, self.recorded(program, LIB / library))
        self.assertEqual(problems + harness.compare(self.folder, 1), [])

    def test_a_fortran_program_goes_through_the_library_and_is_recorded_in_c(self):
        program = self.folder / "fortran"
        places.compile_program("fortran", program, [], [f"-L{places.LIBRARY}", "-lsmall", f"-Wl,-rpath,{places.LIBRARY}"])
        run = self.recorded(program, LIB / "libcallsign.so")
        self.assertEqual((run.code, run.stdout, run.stderr), (0, "rank 0, errors 0 0 0 0 0\n", ""))
        trace, = harness.databases(self.folder).values()
        with sqlite3.connect(trace) as database:
            rows = database.execute("SELECT name, freed_ns IS NOT NULL FROM object WHERE function = 10006 AND internal IS NOT 1").fetchall()
            mpi, = database.execute("SELECT value FROM meta WHERE key = 'mpi'").fetchone()
        self.assertEqual((rows, mpi), ([("MPI_COMM_WORLD.dup1", 1)], "libsmall.so.1"))

    def test_a_program_gets_names_and_attributes_by_linking(self):
        program = self.folder / "names"
        places.compile_program("names", program, [places.SOURCE / "include", TREE / "gen" / "mpi"],
                               ["-Wl,--no-as-needed", f"-L{LIB}", "-lcallsign", f"-L{places.LIBRARY}", "-lsmall", f"-Wl,-rpath,{LIB}:{places.LIBRARY}"],
                               ["-Wall", "-Wextra", "-Werror"])
        for record in ("on", "off"):
            environment = harness.base_environment(CALLSIGN_RECORD=record, CALLSIGN_OUTPUT=str(self.folder / "out"))
            run = harness.run([program], environment, self.folder)
            self.assertEqual((run.code, run.stdout, run.stderr), (0, "names and attributes\n", ""), record)
        trace, = harness.databases(self.folder).values()
        with sqlite3.connect(trace) as database:
            names = {name for name, in database.execute("SELECT name FROM object WHERE name_origin = 'program'")}
            served, = database.execute("SELECT value FROM meta WHERE key = 'served_by_callsign'").fetchone()
        self.assertEqual(names, {"twin", "row", "left behind"})
        self.assertEqual(served, "names of communicators, names of datatypes, attributes of communicators, attributes of datatypes")

    def test_doctor_knows_what_this_mpi_lacks(self):
        program = self.small()
        run = harness.run([TREE / "bin" / "callsign", "doctor", program], harness.base_environment(TMPDIR=str(self.folder)), self.folder)
        self.assertEqual((run.code, run.stderr), (0, ""), run.stdout)
        self.assertIn("MPI         MPI: libsmall.so.1, which is ", run.stdout)
        self.assertIn("routines    callsign's own for names of communicators, names of datatypes, attributes of communicators, ", run.stdout)
        self.assertIn("tags        0 to 2147483647 (MPI_TAG_UB)", run.stdout)


if __name__ == "__main__":
    unittest.main()
