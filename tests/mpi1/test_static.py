"""A static MPI without PMPI_ names, names and attributes: the installed command and the installed CMake function make what programs link in
its place. What they record is the same as with the shared one."""

import os
import re
import sqlite3
import unittest

import places
import harness
import in_fortran

INSTALLED = places.INSTALLED["static"]
LIB = INSTALLED / "lib"
PROJECT = """\
cmake_minimum_required(VERSION 3.22)
project(port C)
find_package(callsign REQUIRED)
callsign_static_mpi(small_mpi {archive})
add_executable(names {programs}/names.c)
target_include_directories(names PRIVATE {headers})
target_link_libraries(names PRIVATE small_mpi)
callsign_static_mpi(all_inside {archive} STATIC)
add_executable(inside {programs}/names.c)
target_include_directories(inside PRIVATE {headers})
target_link_libraries(inside PRIVATE all_inside -static)
"""


class Static(unittest.TestCase):
    def setUp(self):
        workspace = harness.workspace()
        self.folder = workspace.__enter__()
        self.addCleanup(workspace.cleanup)

    def command(self, *words):
        return harness.run([INSTALLED / "bin" / "callsign-static-mpi", *words])

    def copy(self, *archives):
        """A copy of the archive, or of these, by the command."""
        path = self.folder / "libcopy.a"
        run = self.command(*(archives or [places.STATIC]), path)
        self.assertEqual((run.code, run.stderr), (0, ""))
        self.assertRegex(run.stdout, r"libcopy\.a: \d+ functions renamed\n")
        return path

    def test_functions_are_renamed_and_nothing_else(self):
        names = {line.split()[-1] for line in self.nm(self.copy()) if " T " in line}
        before = {line.split()[-1] for line in self.nm(places.STATIC) if " T " in line}
        self.assertEqual({re.sub("^P(?=MPI_)|^p(?=mpi_)", "", name) for name in names}, before)
        self.assertEqual({name for name in names if name.startswith(("MPI_", "mpi_"))}, set())
        self.assertIn("pmpi_comm_dup_", names)
        both = {line.split()[-1] for line in self.nm(self.copy(places.STATIC_C, places.STATIC_FORTRAN)) if " T " in line}
        self.assertEqual(both, names)

    def test_an_mpi_that_has_both_names_keeps_its_own_profiling_names(self):
        archive, program = self.with_twins(), self.folder / "small"
        places.compile_program("small", program, [], [*places.WITH_CHECK, *self.linked(archive)])
        names = {line.split()[-1] for line in self.nm(self.folder / "libcopy.a") if re.search(" [TW] ", line)}
        self.assertIn("PMPI_Comm_dup", names)
        self.assertEqual({name for name in names if name.startswith(("MPI_", "mpi_"))}, set())
        environment = harness.base_environment(**{key: value for key, value in harness.recording(self.folder).items() if key != "LD_PRELOAD"})
        run = harness.run([program], environment, self.folder)
        self.assertEqual((run.code, run.stdout, run.stderr), (0, "rank 0 did it\n", ""))
        self.assertEqual(harness.compare(self.folder, 1), [])

    def with_twins(self):
        """The static library where each function has a PMPI_ name too, and every second one is weak by its other, as in MPICH."""
        whole, both, archive = (self.folder / name for name in ("whole.o", "both.o", "libtwins.a"))
        places.run([places.CC, "-r", "-nostdlib", "-o", whole, "-Wl,--whole-archive", places.STATIC, "-Wl,--no-whole-archive"])
        functions = [line.split() for line in self.nm(whole) if re.search(r" T (MPI|mpi)_", line)]
        words = [f"--add-symbol={'P' if name[0] == 'M' else 'p'}{name}=.text:0x{address},global,function" for address, _, name in functions]
        words += [f"--weaken-symbol={name}" for _, _, name in functions[::2]]
        places.run([os.environ["CS_TEST_OBJCOPY"], *words, whole, both])
        places.run([os.environ["CS_TEST_AR"], "rcs", archive, both])
        return archive

    def nm(self, path):
        return places.run([os.environ["CS_TEST_NM"], "--defined-only", path]).splitlines()

    def linked(self, *archives):
        """The link options in place of the archive."""
        return [f"-L{LIB}", "-lcallsign-mpi", "-Wl,--whole-archive", self.copy(*archives), "-Wl,--no-whole-archive", f"-Wl,-rpath,{LIB}"]

    def test_a_program_is_recorded(self):
        bare, program = self.folder / "bare", self.folder / "small"
        places.compile_program("small", bare, [], [*places.WITH_CHECK, places.STATIC])
        places.compile_program("small", program, [], [*places.WITH_CHECK, *self.linked()])
        environment = harness.base_environment(**{key: value for key, value in harness.recording(self.folder).items() if key != "LD_PRELOAD"})
        run = harness.run([program], environment, self.folder)
        problems = harness.unaffected(harness.run([bare], harness.base_environment(), self.folder), run)
        self.assertEqual(problems + harness.compare(self.folder, 1), [])
        for path, code, said in ((program, 0, "MPI         linked into the program; callsign calls its PMPI_ functions"), (bare, 1, "is linked statically with its MPI")):
            run = harness.run([INSTALLED / "bin" / "callsign", "doctor", path], harness.base_environment())
            self.assertEqual((run.code, run.stderr), (code, ""), run.stdout)
            self.assertIn(said, run.stdout)

    def test_functions_that_callsign_does_not_know_stand_in_nobodys_way(self):
        """They keep their names in the copy. Those that it knows would take its calls from it."""
        for function, code in (("MPI_Unknown_thing", 0), ("MPI_Barrier", 1)):
            source, more, archive, program = (self.folder / name for name in ("more.c", "more.o", "more.a", function))
            source.write_text(f"int {function}(int comm); int {function}(int comm) {{ return comm; }}\n")
            places.run([places.CC, "-c", "-o", more, source])
            copy = self.copy()
            archive.unlink(missing_ok=True)
            places.run([os.environ["CS_TEST_AR"], "rcs", archive, more])
            places.compile_program("small", program, [], [*places.WITH_CHECK, "-Wl,--whole-archive", copy, archive, "-Wl,--no-whole-archive", f"-L{LIB}",
                                                          "-lcallsign-mpi", f"-Wl,-rpath,{LIB}"])
            run = harness.run([INSTALLED / "bin" / "callsign", "doctor", program], harness.base_environment())
            self.assertEqual((run.code, run.stderr), (code, ""), run.stdout)
            self.assertIn(f"{program.name} defines MPI functions itself: 1 ({function})", run.stdout)
            self.assertEqual("callsign does not know those functions and does not record them" in run.stdout, code == 0)

    def test_a_program_without_a_dynamic_linker_is_recorded(self):
        callsign = INSTALLED / "bin" / "callsign"
        for how in ("-static", "-static-pie"):
            with self.subTest(how):
                folder = self.folder / how
                folder.mkdir()
                program = folder / "small"
                places.compile_program("small", program, [], [*places.WITH_CHECK, how, f"-L{LIB}", "-Wl,--whole-archive", "-lcallsign-mpi", self.copy(),
                                                              "-Wl,--no-whole-archive"])
                places.run([os.environ["CS_TEST_STRIP"], program])
                environment = {key: value for key, value in harness.recording(folder).items() if key != "LD_PRELOAD"}
                run = harness.run([program], harness.base_environment(**environment), folder)
                self.assertEqual((run.code, run.stdout, run.stderr), (0, "rank 0 did it\n", ""))
                self.assertEqual(harness.compare(folder, 1), [])
                doctor = harness.run([callsign, "doctor", program], harness.base_environment())
                self.assertEqual((doctor.code, doctor.stderr), (0, ""), doctor.stdout)
                self.assertIn("callsign    linked into the program", doctor.stdout)
                run = harness.run([callsign, "run", "--output", folder / "run", "--", program], harness.base_environment(), folder)
                self.assertEqual((run.code, run.stdout), (0, "rank 0 did it\n"))
                self.assertNotIn("statically", run.stderr)

    def test_callsign_run_and_preloading_do_a_linked_program_no_harm(self):
        program = self.folder / "small"
        places.compile_program("small", program, [], [*places.WITH_CHECK, *self.linked()])
        callsign = INSTALLED / "bin" / "callsign"
        run = harness.run([callsign, "run", "--output", self.folder / "run", "--", program], harness.base_environment(), self.folder)
        self.assertEqual((run.code, run.stdout), (0, "rank 0 did it\n"), run.stderr)
        preloaded = harness.run([program], harness.base_environment(**harness.recording(self.folder, str(LIB / "libcallsign.so"))), self.folder)
        self.assertEqual((preloaded.code, preloaded.stderr), (0, ""))
        self.assertEqual(harness.compare(self.folder, 1), [])
        self.assertRegex(harness.run([callsign, "version"]).stdout, r"flavours +\S+/libcallsign-mpi\.so \(mpi\)")

    def test_entry_points_for_fortran_are_recorded(self):
        program = self.folder / "entry_points"
        places.compile_program("entry_points", program, [], self.linked())
        run = harness.run([program], harness.base_environment(CALLSIGN_OUTPUT=str(self.folder / "out")), self.folder)
        self.assertEqual((run.code, run.stdout, run.stderr), (0, "rank 0, errors 0 0 0 0 0\n", ""))
        trace, = harness.databases(self.folder).values()
        with sqlite3.connect(trace) as database:
            calls = dict(database.execute("SELECT name, sum(calls) FROM profile JOIN function USING (function) GROUP BY 1"))
        self.assertEqual(calls, {"MPI_Init": 1, "MPI_Comm_rank": 1, "MPI_Comm_dup": 1, "MPI_Comm_free": 1, "MPI_Finalize": 1})

    def test_a_program_in_fortran_is_recorded(self):
        program, bare = self.folder / "calls", self.folder / "bare"
        if not in_fortran.compile_program("calls", bare, [places.STATIC]):
            self.skipTest("no Fortran compiler")
        run = harness.run([bare], harness.base_environment())
        self.assertEqual((run.code, run.stdout), (0, in_fortran.SAID))
        for number, archives in enumerate(([places.STATIC], [places.STATIC_C, places.STATIC_FORTRAN])):
            with self.subTest(archives):
                folder = self.folder / str(number)
                folder.mkdir()
                in_fortran.compile_program("calls", program, self.linked(*archives))
                run = harness.run([program], harness.base_environment(CALLSIGN_OUTPUT=str(folder / "out")), folder)
                self.assertEqual((run.code, run.stdout, run.stderr), (0, in_fortran.SAID, ""))
                in_fortran.check_trace(self, folder)

    def test_a_program_in_fortran_has_names_and_attributes(self):
        program = self.folder / "attributes"
        if not in_fortran.compile_program("attributes", program, self.linked(), [INSTALLED / "include"]):
            self.skipTest("no Fortran compiler")
        in_fortran.check_attributes(self, program, self.folder)

    def test_the_function_of_cmake_gives_a_program_what_its_mpi_lacks(self):
        project = self.folder / "project"
        project.mkdir()
        text = PROJECT.format(archive=places.STATIC, programs=places.HERE / "programs", headers=places.HERE / "library")
        (project / "CMakeLists.txt").write_text(text, encoding="utf-8")
        cmake = os.environ["CS_TEST_CMAKE"]
        places.run([cmake, "-S", project, "-B", project / "build", "-G", os.environ["CS_TEST_GENERATOR"],
                    f"-DCMAKE_PREFIX_PATH={INSTALLED}", f"-DCMAKE_C_COMPILER={places.CC}"])
        places.run([cmake, "--build", project / "build"])
        environment = harness.base_environment(CALLSIGN_OUTPUT=str(self.folder / "out"))
        for number, program in enumerate(("names", "inside"), 1):
            run = harness.run([project / "build" / program], environment, self.folder)
            self.assertEqual((run.code, run.stdout, run.stderr), (0, "names and attributes\n", ""))
            self.assertEqual(len(harness.databases(self.folder)), number)

    def test_what_cannot_be_done_is_said_in_a_line(self):
        nothing = self.folder / "nothing.a"
        nothing.write_bytes(b"!<arch>\n")
        for words, said in (((nothing, "x.a"), "it has no function of MPI"), ((self.copy(), "x.a"), "it has no function of MPI"),
                            ((self.folder / "none.a", "x.a"), "cannot be read"),
                            (("--library", nothing, places.STATIC, "x.a"), "no flavour library"), (("--what",), "unknown option")):
            run = self.command(*words)
            self.assertEqual((run.code, run.stdout), (1, ""))
            self.assertEqual(run.stderr.count("\n"), 1)
            self.assertIn(said, run.stderr)


if __name__ == "__main__":
    unittest.main()
