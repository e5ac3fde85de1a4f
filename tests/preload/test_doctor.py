"""`callsign doctor`: which MPI a program has, who serves it, and what stands in the way.

    test_doctor.py --command callsign [--cc CC] [--mpi MPICC MPIEXEC]... [unittest arguments]
"""

import os
import pathlib
import re
import shutil
import unittest

import command
from command import SECONDS, CommandTest, bounded, options

MACHINE = 18  # e_machine in the header of an ELF file


class DoctorTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.work = pathlib.Path(self.work)

    def doctor(self, *arguments, **variables):
        # Leaks of an MPI are not our concern.
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
        self.assertTrue(done.stdout.endswith("Problems were found: see above.\n"), done.stdout)

    def assert_well(self, done, *words, verdict="No problem was found: callsign can record."):
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        for word in words:
            self.assertIn(word, done.stdout)
        self.assertTrue(done.stdout.endswith(f"\n{verdict}\n"), done.stdout)

    PARTLY = "No problem was found, but some calls are not recorded: see the notes above."

    def assert_not_known(self, done, *words):
        self.assert_well(done, *words, verdict="No problem was found. The MPI is known only when the program runs.")

    def assert_not_tried(self, done, *words):
        self.assert_well(done, *words, verdict="No problem was found, but the trial was skipped.")


class WithoutMpiTest(DoctorTest):
    def test_program_without_mpi_may_load_one(self):
        source = "#include <dlfcn.h>\nint main(void) { return !dlopen(0, RTLD_NOW); }"
        self.assert_not_known(self.doctor(self.compile("loading", source)), "One that it loads later")

    def test_program_without_mpi_may_start_one(self):
        source = "#include <stdlib.h>\nint main(void) { return system(0); }"
        self.assert_not_known(self.doctor(self.compile("starting", source)), "programs that it starts")

    def test_program_that_never_meets_an_mpi(self):
        source = "#include <stdio.h>\nint main(void) { return puts(\"hello\") < 0; }"
        self.assert_problem(self.doctor(self.compile("hello", source)), "the program uses no MPI")

    def test_script_is_not_known_before_it_runs(self):
        script = self.work / "script"
        script.write_text("#!/bin/sh\n")
        script.chmod(0o755)
        self.assert_not_known(self.doctor(script), "a script")

    def test_static_program(self):
        program = self.compile("static", "int main(void) { return 0; }", "-static")
        self.assert_problem(self.doctor(program), "linked statically")

    def test_mpi_inside_a_static_program_is_named(self):
        source = "int MPI_Init(int *a, char ***b) { return a == 0 && b == 0; } int main(void) { return MPI_Init(0, 0) - 1; }"
        for words in (["-static"], []):
            done = self.doctor(self.compile("inside", source, *words))
            self.assert_problem(done, "is linked statically with its MPI", "docs/fallback.md")
            self.assertIn("MPI_Init", done.stdout)

    def test_set_user_id_program(self):
        program = self.compile("privileged", "int main(void) { return 0; }")
        program.chmod(0o4755)
        self.assert_problem(self.doctor(program), "setuid", "record a copy")

    def test_program_whose_dynamic_linker_is_missing(self):
        program = self.compile("elsewhere", "int main(void) { return 0; }", "-Wl,--dynamic-linker=/nowhere/ld.so")
        self.assert_problem(self.doctor(program), "cannot start here", "/nowhere/ld.so")

    def test_env_that_removes_the_preload(self):
        program = self.compile("starting", "#include <stdlib.h>\nint main(void) { return system(0); }")
        for words in (["-i"], ["-u", "LD_PRELOAD"], ["A=1", "-"]):
            self.assert_problem(self.doctor("--", "env", *words, program), "env removes LD_PRELOAD")
        for words in (["-u", "A", program], ["-i", "LD_PRELOAD=/x.so", program], [program, "env", "-i"]):
            self.assert_not_known(self.doctor("--", "env", *words))

    def test_launcher_of_nothing_that_is_here(self):
        self.assert_not_known(self.doctor("--", "env", "A=1", self.work / "nothing"), "no argument is a program")

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
        self.assert_problem(self.doctor(program), "libgone.so is missing", "LD_LIBRARY_PATH")

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
                self.assert_well(done, f"program     {program}", "plain: 2 functions from C", "routines    the MPI's for names and attributes; a name has up to ",
                                 "(MPI_TAG_UB)")
                self.assertRegex(done.stdout, r"were recorded: (Open MPI v|MPICH )[0-9.]+\S*\n")
        self.assertEqual([path.name for path in self.work.glob("callsign.*")], [])

    def test_functions_of_mpi_that_a_program_has_itself_are_told(self):
        source = "#include <mpi.h>\nint MPI_Barrier(MPI_Comm c) { return PMPI_Barrier(c); }\n" + self.SOURCE.split("\n")[1] % "MPI_Barrier(MPI_COMM_WORLD);"
        for mpicc, _ in self.mpis():
            self.assert_well(self.doctor(self.compile("wrapped", source, compiler=mpicc)), "wrapped defines MPI functions itself: 1 (MPI_Barrier)", "2 functions from C",
                             "stay in the program", verdict=self.PARTLY)

    def test_what_callsign_serves_itself_is_told(self):
        for mpicc, _ in self.mpis():
            program = self.compile("plain", self.SOURCE % "", compiler=mpicc)
            self.assert_well(self.doctor(program, CALLSIGN_FORCE="names"), "routines    callsign's for names of communicators, ")

    def test_all_flavours_are_told(self):
        flavours = self.call(options.command, "version").stdout.count("/libcallsign-")
        self.assertGreaterEqual(flavours, len(options.mpi))  # that of the standard ABI comes without a compiler wrapper
        self.assertEqual(self.doctor().stdout.count("were recorded: "), flavours)

    def test_calls_past_callsign_are_told(self):
        for mpicc, _ in self.mpis():
            program = self.compile("past", self.SOURCE % "PMPI_Barrier(MPI_COMM_WORLD);", compiler=mpicc)
            self.assert_well(self.doctor(program), "2 functions from C, 1 as PMPI_, which callsign does not see (PMPI_Barrier)", verdict=self.PARTLY)
        with self.subTest("Fortran"):
            source = "__attribute__((weak)) void pmpi_barrier_(int *, int *);\n" + self.SOURCE % "if (pmpi_barrier_) pmpi_barrier_(0, 0);"
            self.assert_well(self.doctor(self.compile("past", source, compiler=mpicc)), "1 as PMPI_, which callsign does not see (pmpi_barrier_)", verdict=self.PARTLY)

    def make_wrapper(self, mpicc):
        source = "#include <mpi.h>\nint MPI_Barrier(MPI_Comm c) { return PMPI_Barrier(c); }"
        return self.compile("libwrapper.so", source, "-shared", "-fPIC", "-Wl,-soname,libwrapper.so", compiler=mpicc)

    def test_linked_wrapper_loses_nothing(self):
        for mpicc, _ in self.mpis():
            wrapper = self.make_wrapper(mpicc)
            program = self.compile("wrapped", self.SOURCE % "MPI_Barrier(MPI_COMM_WORLD);", "-Wl,--no-as-needed", wrapper, f"-Wl,-rpath,{self.work}", compiler=mpicc)
            self.assert_well(self.doctor(program), "wraps MPI   libwrapper.so passes calls of 1 function on (MPI_Barrier); callsign comes before it")

    def test_preloaded_wrapper_stays_behind_callsign(self):
        mpicc, mpiexec = options.mpi[0]
        wrapper, program = self.make_wrapper(mpicc), self.compile("plain", self.SOURCE % "MPI_Barrier(MPI_COMM_WORLD);", compiler=mpicc)
        ours = pathlib.Path(options.command).parent.parent / "lib/libcallsign.so"
        line = "wraps MPI   libwrapper.so, preloaded by {}, passes calls on; callsign run comes before it"
        self.assert_well(self.doctor(program, LD_PRELOAD=f"{ours}:{wrapper}"), line.format("LD_PRELOAD"))
        self.assert_problem(self.doctor(program, LD_PRELOAD=f"{wrapper}:{ours}"), "LD_PRELOAD has libwrapper.so before callsign")
        for words in (["env", f"LD_PRELOAD={wrapper}"], [mpiexec, "-x", f"LD_PRELOAD={wrapper}"], [mpiexec, "-genv", "LD_PRELOAD", wrapper]):
            self.assert_well(self.doctor("--", *words, program), line.format("the command line"))
        self.assert_well(self.doctor("--", mpiexec, "-x", "LD_PRELOAD", program))
        done = self.doctor("--", "env", "LD_PRELOAD=/nowhere/libnone.so", program)
        self.assert_well(done, "note        the command line names /nowhere/libnone.so, which cannot be read")

    def test_shell_that_replaces_the_preload(self):
        [program] = [self.compile("plain", self.SOURCE % "", compiler=mpicc) for mpicc, _ in options.mpi[:1]]
        done = self.doctor("--", "bash", "-c", f"LD_PRELOAD=/x/libother.so {program}")
        self.assert_problem(done, "replaces LD_PRELOAD, so that callsign is not loaded")
        self.assertEqual(self.doctor("--", "bash", "-c", f"LD_PRELOAD=/x/libother.so:$LD_PRELOAD {program}").returncode, 0)

    @unittest.skipIf(os.environ.get("CS_TEST_SANITIZER"), "the command has a sanitizer, too")
    def test_sanitizer_needs_an_option_without_the_command(self):
        mpicc, _ = options.mpi[0]
        program = self.compile("checked", self.SOURCE % "", "-fsanitize=address", compiler=mpicc)
        ours = pathlib.Path(options.command).parent.parent / "lib/libcallsign.so"
        self.assert_well(self.doctor(program, ASAN_OPTIONS=""), "note        AddressSanitizer: callsign run sets ASAN_OPTIONS=verify_asan_link_order=0")
        self.assert_problem(self.doctor(program, ASAN_OPTIONS="detect_leaks=0", LD_PRELOAD=str(ours)), "AddressSanitizer ends the program, since callsign is preloaded")
        self.assertNotIn("AddressSanitizer", self.doctor(program, ASAN_OPTIONS="verify_asan_link_order=0", LD_PRELOAD=str(ours)).stdout)

    def test_parts_that_a_compiler_made_of_functions_are_no_functions_of_mpi(self):
        """They stay in a program whose MPI was renamed. A function of the same name is one."""
        part = 'static __attribute__((noinline, used)) int part(void) __asm__("MPI_Init%s");\nstatic int part(void) { return 0; }\n'
        for mpicc, _ in self.mpis():
            done = self.doctor(self.compile("parts", part % ".part.0" + self.SOURCE % "", compiler=mpicc))
            self.assert_well(done, "parts: 2 functions from C")
            self.assertNotIn("functions of MPI itself", done.stdout)
            done = self.doctor(self.compile("whole", part % "_thread" + self.SOURCE % "", compiler=mpicc))
            self.assertIn("whole defines MPI functions itself: 1 (MPI_Init_thread)", done.stdout)

    def test_weak_references_are_told(self):
        for mpicc, _ in self.mpis():
            text = "extern int MPI_Not_yet(void) __attribute__((weak)); if (MPI_Not_yet) MPI_Not_yet();"
            program = self.compile("asking", self.SOURCE % text, compiler=mpicc)
            self.assert_well(self.doctor(program), "1 of them weak (MPI_Not_yet)")

    def test_two_mpis_in_one_program(self):
        if len(options.mpi) < 2:
            self.skipTest("needs two MPIs")
        libraries = []
        for number, (mpicc, _) in enumerate(options.mpi):
            libraries.append(self.compile(f"lib{number}.so", f"#include <mpi.h>\nint f{number}(void) {{ return MPI_Barrier(MPI_COMM_SELF); }}",
                                          "-shared", "-fPIC", f"-Wl,-soname,lib{number}.so", compiler=mpicc))
        program = self.compile("both", "int f0(void); int f1(void); int main(void) { return f0() + f1(); }", *libraries)
        self.assert_problem(self.doctor(program, LD_LIBRARY_PATH=str(self.work)), "several MPIs")

    def test_launcher_of_another_mpi(self):
        if len(options.mpi) < 2:
            self.skipTest("needs two MPIs")
        launchers = [launcher for _, launcher in options.mpi]
        for number, (mpicc, _) in enumerate(options.mpi):
            program = self.compile(f"plain{number}", self.SOURCE % "", compiler=mpicc)
            for other in launchers[:number] + launchers[number + 1:]:
                with self.subTest(mpi=mpicc, launcher=other):
                    self.assert_problem(self.doctor("--", other, "-n", "2", program), "is the launcher of ", "a job of one rank")

    def test_temporary_folder_that_cannot_be_made(self):
        for mpicc, _ in self.mpis():
            program = self.compile("plain", self.SOURCE % "", compiler=mpicc)
            self.assert_problem(self.doctor(program, TMPDIR=str(self.work / "nowhere")), "cannot make a temporary folder in TMPDIR")


class TrustTest(DoctorTest):
    """The trial runs the code of the MPI's library: only of one that runs with the user's rights already."""

    STRANGE = """
        #include <fcntl.h>
        int MPI_Init(int *a, char ***b) { return a == 0 && b == 0; }
        int MPI_Finalize(void) { return 0; }
        __attribute__((constructor)) static void run(void) { open(MARK, O_CREAT | O_WRONLY, 0644); }"""
    SOURCE = MpiTest.SOURCE % ""

    def plant(self, mpicc, run_path, libraries="tree/lib"):
        """A program of this MPI's ABI with a library of a stranger, which leaves a mark if it is run."""
        library = re.search(r"MPI +.*: (\S+), which is (\S+)", self.doctor(self.compile("plain", self.SOURCE, compiler=mpicc)).stdout)
        self.soname, self.real = library.groups()
        self.mark = self.work / "strange-code-ran"
        self.mark.unlink(missing_ok=True)
        shutil.rmtree(self.work / "tree", ignore_errors=True)
        for folder in ("tree/bin", libraries):
            (self.work / folder).mkdir(parents=True, exist_ok=True)
        strange = self.compile("strange", self.STRANGE.replace("MARK", f'"{self.mark}"'), "-shared", "-fPIC", f"-Wl,-soname,{self.soname}")
        self.library = strange.rename(self.work / libraries / self.soname)
        program = self.compile("program", "int MPI_Init(int *, char ***); int MPI_Finalize(void); int main(void) { return MPI_Init(0, 0) + MPI_Finalize(); }",
                               self.library, *([f"-Wl,--enable-new-dtags,-rpath,{run_path}"] if run_path else []))
        return program.rename(self.work / "tree/bin/program")

    def assert_left_out(self, done, why):
        self.assert_not_tried(done, f"trial       skipped, because it would run code of {self.library}: ", why, "LD_LIBRARY_PATH")
        self.assertFalse(self.mark.exists(), done.stdout)

    def mpis(self):
        for mpicc, _ in options.mpi:
            with self.subTest(mpi=mpicc):
                yield mpicc

    def test_library_beside_the_program_is_not_run(self):
        beside = "only the program itself names its folder"
        for mpicc in self.mpis():
            program = self.plant(mpicc, "$ORIGIN/../lib")
            self.library = self.work / "tree/bin/../lib" / self.soname
            self.assert_left_out(self.doctor(program), beside)
            self.call(str(program))
            self.assertTrue(self.mark.exists())  # the mark works

    def test_library_below_the_program_is_not_run(self):
        for mpicc in self.mpis():
            self.assert_left_out(self.doctor(self.plant(mpicc, str(self.work / "tree/bin/lib"), "tree/bin/lib")), "only the program itself names its folder")

    def test_library_that_the_current_folder_leads_to_is_not_run(self):
        for mpicc in self.mpis():
            program = self.plant(mpicc, "lib")
            shutil.copytree(self.work / "tree/lib", self.work / "lib", dirs_exist_ok=True)
            self.library = f"lib/{self.soname}"
            for done in (self.doctor(program), self.doctor(program, LD_LIBRARY_PATH="lib:")):
                self.assertFalse(self.mark.exists(), done.stdout)
                self.assertNotIn("were recorded", done.stdout)

    def test_library_that_others_can_change_is_not_run(self):
        for mpicc in self.mpis():
            program = self.plant(mpicc, str(self.work / "tree/lib"))
            (self.work / "tree/lib").chmod(0o777)
            self.assert_left_out(self.doctor(program), f"others may write to {self.work / 'tree/lib'}")

    def test_library_of_another_user_is_not_run(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give files away")
        for mpicc in self.mpis():
            program = self.plant(mpicc, str(self.work / "tree/lib"))
            os.chown(self.work / "tree", 65534, 65534)
            self.assert_left_out(self.doctor(program), f"{self.work / 'tree'} belongs to another user")

    def test_mpi_in_the_users_own_folder_is_tried(self):
        """Named by the user's LD_LIBRARY_PATH, or by the program as a folder that is the user's. No other program sees that folder."""
        timeout = self.work / "tools/timeout"
        timeout.parent.mkdir()
        timeout.write_text(f'#!/bin/sh\necho "$LD_LIBRARY_PATH" >"{self.work}/seen"\nexec {shutil.which("timeout")} "$@"\n')
        timeout.chmod(0o755)
        for mpicc in self.mpis():
            own = self.work / "own"
            for run_path, variables in (("", {"LD_LIBRARY_PATH": str(own)}), (str(own), {"PATH": f"{timeout.parent}:{os.environ['PATH']}"})):
                program = self.plant(mpicc, run_path)
                shutil.rmtree(own, ignore_errors=True)
                own.mkdir()
                (own / self.soname).symlink_to(self.real)
                self.assert_well(self.doctor(program, **variables), f"which is {own}/{self.soname}", "were recorded: ")
                self.assertFalse(self.mark.exists())
            self.assertEqual((self.work / "seen").read_text(), os.environ.get("LD_LIBRARY_PATH", "") + "\n")


if __name__ == "__main__":
    command.main()
