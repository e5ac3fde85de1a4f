"""`callsign doctor`: which MPI a program has, who serves it, and what stands in the way.

    test_doctor.py --command callsign [--cc CC] [--mpi MPICC MPIEXEC]... [unittest arguments]
"""

import os
import pathlib
import shutil

import command
from command import SECONDS, CommandTest, bounded, options

MACHINE = 18  # e_machine in the header of an ELF file


class DoctorTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.work = pathlib.Path(self.work)

    def doctor(self, *arguments, **variables):
        # What an MPI leaks is not for us to judge.
        sanitizers = {"ASAN_OPTIONS": "detect_leaks=0:" + os.environ.get("ASAN_OPTIONS", "")}
        return self.call(options.command, "doctor", *map(str, arguments), **{"TMPDIR": str(self.work), **sanitizers, **variables})

    def compile(self, name, source, *words, compiler=None):
        path = self.work / name
        path.with_suffix(".c").write_text(source)
        bounded.run([compiler or options.cc, path.with_suffix(".c"), "-o", path, *words], check=True, timeout=SECONDS)
        return path

    def assert_problem(self, done, *words):
        problems = [line for line in done.stdout.splitlines() if line.startswith("PROBLEM")]
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, "\n".join(problems))
        self.assertTrue(done.stdout.endswith("Something stands in the way of a recording.\n"), done.stdout)

    def assert_well(self, done, *words):
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        for word in words:
            self.assertIn(word, done.stdout)
        self.assertTrue(done.stdout.endswith("Nothing stands in the way of a recording.\n"), done.stdout)


class WithoutMpiTest(DoctorTest):
    def test_program_without_mpi_may_load_one(self):
        self.assert_well(self.doctor("--", "true"), "if it loads one later")

    def test_script_is_not_known_before_it_runs(self):
        script = self.work / "script"
        script.write_text("#!/bin/sh\n")
        script.chmod(0o755)
        self.assert_well(self.doctor(script), "a script")

    def test_static_program(self):
        program = self.compile("static", "int main(void) { return 0; }", "-static")
        self.assert_problem(self.doctor(program), "linked statically")

    def test_mpi_inside_a_static_program_is_named(self):
        source = "int MPI_Init(int *a, char ***b) { return a == 0 && b == 0; } int main(void) { return MPI_Init(0, 0) - 1; }"
        for words in (["-static"], []):
            done = self.doctor(self.compile("inside", source, *words))
            self.assert_problem(done, "has its MPI inside", "docs/fallback.md")
            self.assertIn("MPI_Init", done.stdout)

    def test_set_user_id_program(self):
        program = self.compile("privileged", "int main(void) { return 0; }")
        program.chmod(0o4755)
        self.assert_problem(self.doctor(program), "setuid", "record a copy")

    def test_program_whose_dynamic_linker_is_missing(self):
        program = self.compile("elsewhere", "int main(void) { return 0; }", "-Wl,--dynamic-linker=/nowhere/ld.so")
        self.assert_problem(self.doctor(program), "does not start here", "/nowhere/ld.so")

    def test_launcher_of_nothing_that_is_here(self):
        self.assert_well(self.doctor("--", "env", "A=1", self.work / "nothing"), "none of the arguments is a program")

    def test_program_for_another_machine(self):
        program = self.compile("foreign", "int main(void) { return 0; }")
        image = bytearray(program.read_bytes())
        image[MACHINE : MACHINE + 2] = (0x2A).to_bytes(2, "little")  # SuperH
        program.write_bytes(image)
        self.assert_problem(self.doctor(program), "another machine")

    def test_library_that_is_not_found(self):
        library = self.compile("libgone.so", "int gone(void) { return 0; }", "-shared", "-fPIC", "-Wl,-soname,libgone.so")
        program = self.compile("lost", "int gone(void); int main(void) { return gone(); }", library)
        library.unlink()
        self.assert_problem(self.doctor(program), "libgone.so is needed and not found", "LD_LIBRARY_PATH")

    def test_unknown_mpi(self):
        library = self.compile("libmpi.so.99", "int MPI_Init(int *a, char ***b) { return a == 0 && b == 0; }", "-shared", "-fPIC",
                               "-Wl,-soname,libmpi.so.99")
        program = self.compile("unknown", "int MPI_Init(int *, char ***); int main(void) { return MPI_Init(0, 0) - 1; }", library)
        self.assert_problem(self.doctor(program, LD_LIBRARY_PATH=str(self.work)), "does not know this MPI")

    def test_control_characters_of_a_name_are_shown_escaped(self):
        program = self.work / "bell\a"
        shutil.copy(shutil.which("true"), program)
        done = self.doctor(program)
        self.assertNotIn("\a", done.stdout)
        self.assertIn("bell\\x07", done.stdout)

    def test_damaged_programs_end_it_in_no_way(self):
        image = pathlib.Path(shutil.which("true")).read_bytes()
        program = self.work / "damaged"
        for cut in (4, 20, 64, 200, 1000, len(image) // 2):
            program.write_bytes(image[:cut])
            program.chmod(0o755)
            self.assertIn(self.doctor(program).returncode, (0, 1))
        self.assertEqual(self.doctor(self.work / "nowhere").returncode, 1)


class MpiTest(DoctorTest):
    SOURCE = "#include <mpi.h>\nint main(void) { MPI_Init(0, 0); %s MPI_Finalize(); return 0; }"

    def mpis(self):
        for mpicc, mpiexec in options.mpi:
            with self.subTest(mpi=mpicc):
                yield mpicc, mpiexec

    def test_recording_is_tried(self):
        for mpicc, mpiexec in self.mpis():
            program = self.compile("plain", self.SOURCE % "", compiler=mpicc)
            for words in ([program], [mpiexec, "-n", "2", program]):
                done = self.doctor("--", *words)
                self.assert_well(done, f"program     {program}", "plain: 2 functions from C", "routines    the MPI's own for names and attributes; a name has up to ",
                                 "(MPI_TAG_UB)", "were recorded: ")
        self.assertEqual([path.name for path in self.work.glob("callsign-*")], [])

    def test_functions_of_mpi_that_a_program_has_itself_are_told(self):
        source = "#include <mpi.h>\nint MPI_Barrier(MPI_Comm c) { return PMPI_Barrier(c); }\n" + self.SOURCE.split("\n")[1] % "MPI_Barrier(MPI_COMM_WORLD);"
        for mpicc, _ in self.mpis():
            self.assert_well(self.doctor(self.compile("wrapped", source, compiler=mpicc)), "wrapped has functions of MPI itself: 1 (MPI_Barrier)", "2 functions from C",
                             "go to the program's own")

    def test_what_callsign_serves_itself_is_told(self):
        for mpicc, _ in self.mpis():
            program = self.compile("plain", self.SOURCE % "", compiler=mpicc)
            self.assert_well(self.doctor(program, CALLSIGN_FORCE="names"), "routines    callsign's own for names of communicators, ")

    def test_all_flavours_are_told(self):
        flavours = self.call(options.command, "version").stdout.count("/libcallsign-")
        self.assertGreaterEqual(flavours, len(options.mpi))  # that of the standard ABI comes without a compiler wrapper
        self.assertEqual(self.doctor().stdout.count("were recorded: "), flavours)

    def test_calls_past_callsign_are_told(self):
        for mpicc, _ in self.mpis():
            program = self.compile("past", self.SOURCE % "PMPI_Barrier(MPI_COMM_WORLD);", compiler=mpicc)
            self.assert_well(self.doctor(program), "2 functions from C, 1 as PMPI_ past callsign (PMPI_Barrier)")

    def test_weak_references_are_told(self):
        for mpicc, _ in self.mpis():
            text = "extern int MPI_Not_yet(void) __attribute__((weak)); if (MPI_Not_yet) MPI_Not_yet();"
            program = self.compile("asking", self.SOURCE % text, compiler=mpicc)
            self.assert_well(self.doctor(program), "1 of them if there (MPI_Not_yet)")

    def test_two_mpis_in_one_program(self):
        if len(options.mpi) < 2:
            self.skipTest("needs two MPIs")
        libraries = []
        for number, (mpicc, _) in enumerate(options.mpi):
            libraries.append(self.compile(f"lib{number}.so", f"#include <mpi.h>\nint f{number}(void) {{ return MPI_Barrier(MPI_COMM_SELF); }}",
                                          "-shared", "-fPIC", f"-Wl,-soname,lib{number}.so", compiler=mpicc))
        program = self.compile("both", "int f0(void); int f1(void); int main(void) { return f0() + f1(); }", *libraries)
        self.assert_problem(self.doctor(program, LD_LIBRARY_PATH=str(self.work)), "several MPIs")

    def test_temporary_folder_that_cannot_be_made(self):
        for mpicc, _ in self.mpis():
            program = self.compile("plain", self.SOURCE % "", compiler=mpicc)
            self.assert_problem(self.doctor(program, TMPDIR=str(self.work / "nowhere")), "no temporary folder can be made in TMPDIR")


if __name__ == "__main__":
    command.main()
