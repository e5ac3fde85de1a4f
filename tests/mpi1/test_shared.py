"""A shared MPI without PMPI_ names, names and attributes: programs are recorded when callsign is preloaded, and get what the MPI lacks when
they are linked with it."""

import os
import pathlib
import re
import shutil
import sqlite3
import tempfile
import unittest

import places
import harness
import in_fortran

TREE = places.TREES["shared"]
LIB = TREE / "lib"
INSTALLED = places.INSTALLED["shared"]
PROJECT = """\
cmake_minimum_required(VERSION 3.22)
project(linked C)
find_package(callsign 0.1 REQUIRED)
add_executable(linked {program})
target_link_libraries(linked PRIVATE callsign::callsign {library})
"""

# Behaviours of which this MPI has another communicator or not all datatypes; callsign names those that there are.
OF_LATER_MPIS = {"predefined communicators have the standard's names", "predefined datatypes of C have the standard's names", "datatypes of reductions have the standard's names",
                 "predefined datatypes of Fortran have the standard's names", "a datatype with two names in the standard has the first one"}
AT_FINALIZE = [f"self {number}" for number in (1, 2, 3, 3, 2, 1)]  # MPI_COMM_SELF is MPI_COMM_WORLD here; the newest value first


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

    def linked_is_recorded(self, program):
        environment = {key: value for key, value in harness.recording(self.folder).items() if key != "LD_PRELOAD"}
        run = harness.run([program], harness.base_environment(**environment), self.folder)
        self.assertEqual((run.code, run.stderr), (0, ""))
        (trace,) = harness.databases(self.folder).values()
        with sqlite3.connect(trace) as database:
            self.assertEqual(database.execute("SELECT calls FROM profile JOIN function USING (function) WHERE name = 'MPI_Init'").fetchall(), [(1,)])

    def consumer(self):
        """A program and what it links but callsign."""
        source = self.folder / "linked.c"
        source.write_text("#include <mpi.h>\nint main(int argc, char **argv)\n{\n    MPI_Init(&argc, &argv);\n    return MPI_Finalize();\n}\n", encoding="ascii")
        return source, [f"-I{places.SMALL / 'include'}", f"-L{places.SMALL / 'lib'}", "-lmpi", f"-Wl,-rpath,{places.LIBRARY}"]

    def test_a_program_that_links_by_pkg_config_is_recorded(self):
        if not shutil.which("pkg-config"):
            self.skipTest("no pkg-config")
        source, mpi = self.consumer()
        words = places.run(["pkg-config", "--cflags", "--libs", "callsign"], env={**os.environ, "PKG_CONFIG_PATH": str(INSTALLED / "lib/pkgconfig")}).split()
        places.run([places.CC, source, *words, *mpi, f"-Wl,-rpath,{INSTALLED / 'lib'}", "-o", self.folder / "linked"])
        self.linked_is_recorded(self.folder / "linked")

    def test_a_program_that_links_by_find_package_is_recorded(self):
        source, mpi = self.consumer()
        (self.folder / "CMakeLists.txt").write_text(PROJECT.format(program=source, library=" ".join(mpi)), encoding="utf-8")
        build = self.folder / "build"
        places.run([os.environ["CS_TEST_CMAKE"], "-S", self.folder, "-B", build, "-G", os.environ["CS_TEST_GENERATOR"], f"-DCMAKE_PREFIX_PATH={INSTALLED}",
                    f"-DCMAKE_C_COMPILER={places.CC}", f"-DCMAKE_C_FLAGS={mpi[0]}", "-DCMAKE_C_COMPILER_FORCED=ON"])
        places.run([os.environ["CS_TEST_CMAKE"], "--build", build])
        self.linked_is_recorded(build / "linked")

    def test_a_program_in_fortran_is_recorded(self):
        program = self.folder / "calls"
        if not in_fortran.compile_program("calls", program, [f"-L{places.LIBRARY}", "-lsmall", f"-Wl,-rpath,{places.LIBRARY}"]):
            self.skipTest("no Fortran compiler")
        for library in ("libcallsign.so", "libcallsign-front-mpi.so"):
            with self.subTest(library), tempfile.TemporaryDirectory(dir=self.folder) as folder:
                run = harness.run([program], harness.base_environment(**harness.recording(pathlib.Path(folder), str(LIB / library))), self.folder)
                self.assertEqual((run.code, run.stdout, run.stderr), (0, in_fortran.SAID, ""))
                in_fortran.check_trace(self, pathlib.Path(folder))

    def test_a_program_in_fortran_has_names_and_attributes(self):
        program = self.folder / "attributes"
        link = ["-Wl,--no-as-needed", f"-L{LIB}", "-lcallsign", f"-L{places.LIBRARY}", "-lsmall", f"-Wl,-rpath,{LIB}:{places.LIBRARY}"]
        if not in_fortran.compile_program("attributes", program, link, [TREE / "gen" / "mpi"]):
            self.skipTest("no Fortran compiler")
        in_fortran.check_attributes(self, program, self.folder)

    def test_entry_points_for_fortran_are_recorded(self):
        program = self.folder / "entry_points"
        places.compile_program("entry_points", program, [], [f"-L{places.LIBRARY}", "-lsmall", f"-Wl,-rpath,{places.LIBRARY}"])
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
        self.assertIn("routines    callsign's for names of communicators, names of datatypes, attributes of communicators, ", run.stdout)
        self.assertIn("tags        0 to 2147483647 (MPI_TAG_UB)", run.stdout)

    def test_names_and_attributes_are_as_the_standard_has_them(self):
        """The probes of tests/mpi/conformance, except those that need what this MPI lacks: they say so and end their process."""
        program = self.conformance()
        judged, lacking, wrong, number = 0, 0, [], 0
        while True:
            run = harness.run([program, str(number)], harness.base_environment(CALLSIGN_RECORD="off"), self.folder)
            for line in run.stdout.splitlines():
                fields = line.split("\t")
                if re.match(r"\d+\t", line):
                    number = int(fields[0]) + 1
                    if fields[1] not in OF_LATER_MPIS:
                        judged += 1
                        wrong += [] if fields[2] == fields[3] else [fields]
            if run.stdout.endswith("end\n"):
                break
            self.assertRegex(run.stderr, r"^lacks MPI_\w+\n$", f"exit code {run.code} of probe {number}: {run.stdout[-500:]}")
            lacking += 1
            number += 1
        self.assertEqual(wrong, [])
        self.assertGreater(judged, lacking, "this tests next to nothing")

    def test_attributes_are_deleted_when_mpi_ends(self):
        run = harness.run([self.conformance(), "finalize"], harness.base_environment(CALLSIGN_RECORD="off"), self.folder)
        self.assertEqual(run.stdout.split("\n")[:-2], AT_FINALIZE)

    def conformance(self):
        path, programs = self.folder / "conformance", places.HERE / "programs"
        sources = sorted((places.HERE.parent / "mpi" / "conformance").glob("*.c"))
        places.compile_program("later", path, [places.SOURCE / "include", TREE / "gen" / "mpi"],
                               [*sources, "-Wl,--no-as-needed", f"-L{LIB}", "-lcallsign", f"-L{places.LIBRARY}", "-lsmall", f"-Wl,-rpath,{LIB}:{places.LIBRARY}"],
                               ["-w", "-include", programs / "later.h"])
        return path

    def test_a_program_for_stubs_runs_on_bare_and_is_told(self):
        program = self.folder / "pretending"
        places.compile_program("pretending", program, [], [f"-L{places.LIBRARY}", "-lsmall"])
        for number, folder in places.STUBS.items():
            with self.subTest(f"all duplicates are the original's handle and {number}"):
                self.stubs_are_told(program, {"LD_LIBRARY_PATH": str(folder), "TMPDIR": str(self.folder)})

    def stubs_are_told(self, program, stubs):
        bare = harness.run([program], harness.base_environment(**stubs), self.folder)
        run = harness.run([program], harness.base_environment(**stubs, **harness.recording(self.folder, str(LIB / "libcallsign.so"))), self.folder)
        self.assertEqual((run.code, run.stdout), (3, "rank 0, as stubs have it\n"))
        self.assertEqual((bare.code, bare.stdout), (run.code, run.stdout))
        self.assertRegex(run.stderr, r"\Acallsign: nothing is recorded, the program runs on: in this MPI a duplicate of a communicator has no .*\n\Z")
        self.assertEqual((harness.databases(self.folder), list(self.folder.rglob("*.journal"))), ({}, []))
        local = self.folder / "of the node"
        local.mkdir(exist_ok=True)
        environment = harness.base_environment(**stubs, **harness.recording(self.folder, str(LIB / "libcallsign.so")), CALLSIGN_JOURNAL=str(local))
        self.assertEqual((harness.run([program], environment, self.folder).stderr, list(self.folder.rglob("*.journal"))), (run.stderr, []))
        doctor = harness.run([TREE / "bin" / "callsign", "doctor", program], harness.base_environment(**stubs), self.folder)
        self.assertEqual(doctor.code, 1, doctor.stdout)
        self.assertRegex(doctor.stdout, "PROBLEM     a small test program was not recorded: .*a duplicate of a communicator has no handle")


if __name__ == "__main__":
    unittest.main()
