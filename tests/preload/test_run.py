"""`callsign run`: the program stays itself, the right library is preloaded, and the trace is found at the end.

    test_run.py --command callsign [--cc CC] [--mpi MPICC MPIEXEC]... [unittest arguments]
"""

import glob
import os
import re
import shutil
import signal
import subprocess
import sys

import command
from command import HERE, SECONDS, CommandTest, bounded, clean_environment, options


def compile_program(compiler, source, program):
    bounded.run([compiler, "-o", program, os.path.join(HERE, "programs", source)], check=True, timeout=SECONDS)


class RunTest(CommandTest):
    def callsign_run(self, *arguments, **variables):
        return self.call(options.command, "run", *arguments, **variables)

    def folders(self):
        return sorted(glob.glob(os.path.join(self.work, "*.callsign")))


class ProgramTest(RunTest):
    """Programs without MPI."""

    def test_exit_code_and_output_are_the_programs(self):
        done = self.callsign_run("--quiet", "sh", "-c", "echo out; echo err >&2; exit 7")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (7, "out\n", "err\n"))

    def test_death_by_a_signal_is_the_programs(self):
        done = self.callsign_run("-q", "sh", "-c", "kill -USR1 $$")
        self.assertEqual(done.returncode, -signal.SIGUSR1)

    def test_options_end_at_the_program(self):
        done = self.callsign_run("-q", "echo", "-n", "--quiet", "--output", "x")
        self.assertEqual((done.returncode, done.stdout), (0, "--quiet --output x"))

    def test_program_that_records_nothing_is_told(self):
        done = self.callsign_run("true")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("nothing was recorded", done.stderr)
        self.assertEqual(os.listdir(self.work), [])

    def test_command_that_fails_before_mpi_is_named_as_the_cause(self):
        done = self.callsign_run("sh", "-c", "echo no slots >&2; exit 7")
        self.assertEqual(done.returncode, 7)
        self.assertIn("nothing was recorded: the command failed with exit code 7 before ", done.stderr)

    def test_folder_in_which_no_run_can_be_made_is_named(self):
        place = os.path.join(self.work, "file")
        with open(place, "w", encoding="ascii"):
            pass
        done = self.callsign_run("--output", os.path.join(place, "x"), "true")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, f"callsign: nothing was recorded: cannot make a run folder in {os.path.realpath(place)}/x: Not a directory\n")

    def test_termination_reaches_the_program(self):
        script = "trap 'echo caught; exit 9' TERM; echo ready; i=0; while [ $i -lt 300 ]; do sleep 0.1; i=$((i+1)); done"
        with bounded.start([options.command, "run", "-q", "sh", "-c", script], env=clean_environment(), cwd=self.work,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
            self.assertEqual(process.stdout.readline(), "ready\n")
            process.terminate()
            rest, _ = bounded.communicate(process, SECONDS)
        self.assertEqual((process.returncode, rest), (9, "caught\n"))

    def test_ignored_child_signal_does_not_lose_the_exit_code(self):
        done = self.call("sh", "-c", f"trap '' CHLD; exec {options.command} run -q sh -c 'exit 4'")
        self.assertEqual(done.returncode, 4)

    def test_inside_a_rank_the_process_stays_the_same(self):
        with bounded.start([options.command, "run", "sh", "-c", "echo $$"], env=clean_environment(PMI_RANK="0"), cwd=self.work,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
            output, _ = bounded.communicate(process, SECONDS)
        self.assertEqual(output, f"{process.pid}\n")

    def test_missing_program_is_127(self):
        done = self.callsign_run("no-such-program")
        self.assertEqual((done.returncode, done.stdout), (127, ""))
        self.assertEqual(done.stderr, "callsign: no-such-program: command not found\n")
        self.assertEqual(self.callsign_run("./no-such-program").returncode, 127)

    def test_file_that_is_no_program_is_126(self):
        path = os.path.join(self.work, "data")
        with open(path, "w", encoding="ascii") as file:
            file.write("x\n")
        done = self.callsign_run("./data")
        self.assertEqual((done.returncode, done.stderr), (126, "callsign: ./data: Permission denied\n"))
        self.assertEqual(self.callsign_run(self.work).returncode, 126)

    def test_script_without_an_interpreter_line_runs(self):
        path = os.path.join(self.work, "script")
        with open(path, "w", encoding="ascii") as file:
            file.write("exit 3\n")
        os.chmod(path, 0o755)
        self.assertEqual(self.callsign_run("-q", "./script").returncode, 3)

    def test_wrong_usage_is_2_and_told(self):
        for arguments in ([], ["--nonsense", "true"], ["--convert", "sometimes", "true"], ["--output"]):
            done = self.callsign_run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn("callsign run --help", done.stderr)

    def test_help_fits_a_screen(self):
        done = self.callsign_run("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertLessEqual(len(done.stdout.splitlines()), 40)
        self.assertLessEqual(max(len(line) for line in done.stdout.splitlines()), 80)


class EnvironmentTest(RunTest):
    """A variable in the program's environment."""

    def variable(self, name, *arguments, **variables):
        done = self.callsign_run("-q", *arguments, "sh", "-c", f'echo "${name}"', **variables)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.rstrip("\n")

    def test_front_library_is_preloaded_for_a_shell(self):
        value = self.variable("LD_PRELOAD")
        self.assertTrue(os.path.isabs(value) and value.endswith("/libcallsign.so"), value)

    def test_other_preloads_stay_behind(self):
        libc = "libc.so.6"
        self.assertTrue(self.variable("LD_PRELOAD", LD_PRELOAD=libc).endswith(f"/libcallsign.so:{libc}"))

    def test_run_in_a_run_preloads_once(self):
        done = self.callsign_run("-q", options.command, "run", "sh", "-c", 'echo "$LD_PRELOAD"')
        self.assertEqual(done.stdout.count("libcallsign"), 1)

    def test_options_become_settings(self):
        self.assertEqual(self.variable("CALLSIGN_CONVERT", "--convert", "later"), "later")
        self.assertEqual(self.variable("CALLSIGN_OUTPUT", "--output", "place"), os.path.join(os.path.realpath(self.work), "place"))

    def test_launches_differ(self):
        self.assertNotEqual(self.variable("CALLSIGN_LAUNCH"), self.variable("CALLSIGN_LAUNCH"))


class TargetTest(RunTest):
    """The preloaded library: that of the MPI that the program needs, wherever it is on the command line."""

    def setUp(self):
        super().setUp()
        if not options.mpi:
            self.skipTest("no MPI")
        self.programs = [f"./hello.{number}" for number in range(len(options.mpi))]
        for (mpicc, _), program in zip(options.mpi, self.programs):
            compile_program(mpicc, "hello.c", os.path.join(self.work, program))
        # Launchers and commands in between say what they were given, and run nothing.
        self.write_script("show", 'echo "$LD_PRELOAD"')
        for name in ("mpirun", "mpiexec.hydra", "srun"):
            os.symlink("show", os.path.join(self.work, name))
        self.write_script("wrapper.sh", 'exec "$@"')

    def write_script(self, name, line):
        path = os.path.join(self.work, name)
        with open(path, "w", encoding="ascii") as file:
            file.write(f"#!/bin/sh\n{line}\n")
        os.chmod(path, 0o755)

    def preloaded(self, *words):
        done = self.callsign_run("-q", *words, PATH=f"{self.work}:{os.environ['PATH']}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        (line,) = done.stdout.splitlines()
        return os.path.basename(line)

    def flavour(self, program):
        """The library that is preloaded for the program alone."""
        text = bounded.run(["readelf", "-d", os.path.join(self.work, program)], stdout=subprocess.PIPE, text=True, check=True,
                              timeout=SECONDS).stdout
        return "libcallsign-front-openmpi.so" if "[libmpi.so.40]" in text else "libcallsign-front-mpich.so"

    def test_program_of_a_launcher_is_found_among_its_arguments(self):
        for program in self.programs:
            for words in (["mpirun", "-n", "4", program, "-x", "y"], ["mpiexec.hydra", program], ["srun", "-n2", "--", program],
                          ["mpirun", "--map-by", "sleep", program], ["mpirun", "--mca", "plm_rsh_agent", "sleep", "-np", "2", program],
                          ["mpirun", "-n", "2", "env", "-u", "X", "Y=1", "nice", "-n", "1", program, "sleep"],
                          ["env", "A=1", "mpirun", program], ["mpirun", "-n", "1", program, "a", ":", "-n", "1", program, "b"]):
                self.assertEqual(self.preloaded(*words), self.flavour(program), words)

    def test_what_cannot_be_told_gets_the_names_of_all(self):
        program = self.programs[0]
        for words in (["mpirun", "-n", "4", "./wrapper.sh", program], ["mpirun", sys.executable, "x.py"], ["mpirun", "no-such-program"],
                      ["mpirun", "--app", "file"], ["mpirun", program, ":", "./wrapper.sh", program], ["./show", program],
                      ["sh", "-c", f"exec mpirun {program}"]):
            self.assertEqual(self.preloaded(*words), "libcallsign.so", words)

    def test_programs_of_two_mpis_get_the_names_of_all(self):
        if len(self.programs) < 2:
            self.skipTest("one MPI only")
        self.assertEqual(self.preloaded("mpirun", self.programs[0], ":", self.programs[1]), "libcallsign.so")

    def test_static_program_behind_a_launcher_is_told(self):
        source = os.path.join(self.work, "nothing.c")
        with open(source, "w", encoding="ascii") as file:
            file.write("int main(void) { return 0; }\n")
        static = os.path.join(self.work, "static")
        if bounded.run([options.cc, "-static", "-o", static, source], stderr=subprocess.DEVNULL, timeout=SECONDS, check=False).returncode:
            self.skipTest("no static C library")
        done = self.callsign_run("-q", "mpirun", "-n", "2", "./static", PATH=f"{self.work}:{os.environ['PATH']}")
        self.assertEqual(done.stderr, "callsign: ./static is linked statically: only programs that it starts can be recorded\n")


class LauncherOptionsTest(RunTest):
    """Launchers that limit which variables they pass: scripts with their names print what they were given."""

    NAMES = ["ASAN_OPTIONS", "CALLSIGN_LAUNCH", "CALLSIGN_OUTPUT", "LD_PRELOAD"]

    def given(self, name, *words, **variables):
        path = os.path.join(self.work, name)
        with open(path, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\nprintf '%s\\n' \"$@\" \"SLURM_EXPORT_ENV=$SLURM_EXPORT_ENV\"\n")
        os.chmod(path, 0o755)
        done = self.callsign_run("-q", "--sync", "on", path, *words, **variables)
        self.assertEqual(done.returncode, 0, done.stderr)
        *lines, variable = done.stdout.splitlines()
        return lines, sorted(variable.partition("=")[2].split(","))

    def names(self, more=()):
        return sorted([*self.NAMES, "CALLSIGN_SYNC", *more])

    def test_srun_gets_our_names_behind_those_of_the_user(self):
        for words, users in ((["--export=A,B=2"], ["A", "B=2"]), (["--export=NONE"], []), (["-n", "4", "--export=NIL"], [])):
            lines, _ = self.given("srun", *words, "./program", "--export=X")
            *before, option = words
            self.assertEqual([*lines[:len(before)], *lines[len(before) + 1:]], [*before, "./program", "--export=X"])
            name, _, value = lines[len(before)].partition("=")
            self.assertEqual((name, sorted(value.split(","))), ("--export", self.names(users)))
        self.assertEqual(sorted(self.given("srun", "--export", "A", "p")[0][1].split(",")), self.names(["A"]))

    def test_preload_on_the_line_is_merged(self):
        theirs, ours = "/x/libtheirs.so", r"\S+/libcallsign(-front-\w+)?\.so:/x/libtheirs\.so"
        given = f"LD_PRELOAD={theirs}"
        for name, words, place, pattern in (
                ("srun", [f"--export=ALL,{given},A=2"], 0, rf"--export=ALL,LD_PRELOAD={ours},A=2"),
                ("flux", ["run", f"--env={given}"], 1, rf"--env=LD_PRELOAD={ours}"),
                ("jsrun", ["-E", given], -2, f"LD_PRELOAD={ours}"),
                ("aprun", ["-e", given], -2, f"LD_PRELOAD={ours}"),
                ("mpiexec", ["-genv", "LD_PRELOAD", theirs], 2, ours),
                ("mpiexec", ["-n", "1", "-env", "LD_PRELOAD", theirs], 4, ours),
                ("mpiexec", ["-n", "1", "env", "-u", "B", "A=1", given], 6, f"LD_PRELOAD={ours}")):
            own = ["-x", given, "env", given]  # the program's own words stay
            with self.subTest(name=name, words=words):
                lines = self.given(name, *words, "/bin/true", *own)[0]
                self.assertEqual(lines[-5:], ["/bin/true", *own])
                lines = lines[:-4] if place >= 0 else lines[:-4][-3:]
                self.assertRegex(lines[place], rf"\A{pattern}\Z")

    def test_srun_that_passes_everything_is_left_alone(self):
        for words in (["--export=ALL,A=1", "p"], ["-n", "4", "p", "--export=NONE"], ["-n4", "--", "p", "--export=NONE"]):
            self.assertEqual(self.given("srun", *words)[0], words)

    def test_limit_of_a_batch_job_is_extended(self):
        self.assertEqual(self.given("srun", "p", SLURM_EXPORT_ENV="NONE"), (["p"], self.names()))
        self.assertEqual(self.given("srun", "p", SLURM_EXPORT_ENV="ALL")[1], ["ALL"])

    def test_hydra_with_a_limit_gets_values(self):
        lines, _ = self.given("mpiexec.hydra", "-genvnone", "-n", "2", "p")
        self.assertEqual(lines[-4:], ["-genvnone", "-n", "2", "p"])
        self.assertEqual(lines[0:-4:3], ["-genv"] * len(self.names()))
        self.assertEqual(sorted(lines[1:-4:3]), self.names())
        self.assertIn("libcallsign", dict(zip(lines[1:-4:3], lines[2:-4:3]))["LD_PRELOAD"])
        self.assertEqual(self.given("mpiexec.hydra", "-n", "2", "p", "-envnone")[0], ["-n", "2", "p", "-envnone"])

    def test_flux_gets_rules_behind_those_of_the_user(self):
        lines, _ = self.given("flux", "run", "-n", "4", "--env=-*", "p", "--env=X")
        self.assertEqual([lines[:4], lines[-2:]], [["run", "-n", "4", "--env=-*"], ["p", "--env=X"]])
        self.assertEqual(sorted(lines[4:-2]), [f"--env={name}" for name in self.names()])
        lines, _ = self.given("flux", "run", "--env=-*", "--env=LD_PRELOAD=/x/libtheirs.so", "p")
        self.assertEqual(sorted(lines[3:-1]), [f"--env={name}" for name in self.names() if name != "LD_PRELOAD"])
        for words in (["run", "-n", "4", "p"], ["submit", "--env=-*", "p"]):
            self.assertEqual(self.given("flux", *words)[0], words)

    def test_options_of_a_sanitizer_on_the_command_line_are_extended(self):
        for word, value in (("-x", "ASAN_OPTIONS=a=1"), ("-genv ASAN_OPTIONS", "a=1"), ("env", "ASAN_OPTIONS=a=1")):
            lines, _ = self.given("launch", *word.split(), value, "ASAN_OPTIONS")
            self.assertEqual(lines, [*word.split(), value + ":verify_asan_link_order=0", "ASAN_OPTIONS"])

    def test_jsrun_and_aprun_get_values(self):
        for launcher, flag in (("jsrun", "-E"), ("aprun", "-e")):
            lines, _ = self.given(launcher, "-n", "2", "p")
            self.assertEqual(lines[-3:], ["-n", "2", "p"])
            self.assertEqual(lines[0:-3:2], [flag] * len(self.names()))
            self.assertEqual(sorted(word.partition("=")[0] for word in lines[1:-3:2]), self.names())

    def test_launchers_of_prrte_get_names_but_scripts_of_that_name_are_left_alone(self):
        """The launchers need a library of PRRTE. OpenHPC's script prun chooses a launcher, and has no option -x."""
        library, source = os.path.join(self.work, "libprrte.so.3"), os.path.join(self.work, "launcher.c")
        with open(source, "w", encoding="ascii") as file:
            file.write('#include <stdio.h>\nint main(int argc, char **argv) { for (int i = 1; i < argc; i++) puts(argv[i]); return argc < 0; }\n')
        bounded.run([options.cc, "-shared", "-nostdlib", "-Wl,-soname,libprrte.so.3", "-x", "c", "-o", library, os.devnull], timeout=SECONDS, check=True)
        for name in ("prun", "prterun"):
            self.assertEqual(self.given(name, "-n", "2", "p")[0], ["-n", "2", "p"])
            bounded.run([options.cc, "-o", os.path.join(self.work, name), source, "-Wl,--no-as-needed", library, f"-Wl,-rpath,{self.work}"],
                        timeout=SECONDS, check=True)
            for given, users in ((["-n", "2", "p"], []), (["-x", "A", "-x", "CALLSIGN_SYNC=off", "p"], ["CALLSIGN_SYNC"])):
                done = self.callsign_run("-q", "--sync", "on", os.path.join(self.work, name), *given)
                self.assertEqual(done.returncode, 0, done.stderr)
                lines = done.stdout.splitlines()
                ours, rest = lines[:-len(given)], lines[-len(given):]
                self.assertEqual(rest, given)
                self.assertEqual(ours[::2], ["-x"] * (len(ours) // 2))
                self.assertEqual(sorted([*ours[1::2], *users]), self.names())
            # Open MPI rejects -x beside this list; prun does not read it.
            done = self.callsign_run("-q", "--sync", "on", os.path.join(self.work, name), "p", OMPI_MCA_mca_base_env_list="A")
            self.assertEqual(len(done.stdout.splitlines()), 1 + 2 * len(self.names()) if name == "prun" else 1, done.stdout)


class LaunchTest(RunTest):
    """Real launchers: all ranks of a launch in one folder, each launch in its own."""

    def mpis(self, source="hello.c"):
        if not options.mpi:
            self.skipTest("no MPI")
        if os.environ.get("CS_TEST_SANITIZER"):
            self.skipTest("launchers do not run under sanitizers")
        for mpicc, mpiexec in options.mpi:
            with self.subTest(mpiexec=mpiexec):
                program = os.path.join(self.work, "hello")
                compile_program(mpicc, source, program)
                text = bounded.run([mpiexec, "--version"], stdout=subprocess.PIPE, text=True, timeout=SECONDS, check=False).stdout
                launcher = [mpiexec, "--oversubscribe"] if "Open MPI" in text or "OpenRTE" in text else [mpiexec]
                yield [*launcher, "-n", "2"], program
                os.remove(program)
                for folder in self.folders():
                    shutil.rmtree(folder)

    def assert_recorded(self, done, runs):
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(done.stdout.splitlines()), sorted(["rank 0 of 2", "rank 1 of 2"] * runs))
        self.assertEqual(len(self.folders()), runs, done.stderr)
        for folder in self.folders():
            self.assertRegex(os.path.basename(folder), r"\Ahello\.[a-z2-7]{8}\.callsign\Z")
            names = sorted(name for name in os.listdir(folder) if not name.startswith("."))
            self.assertEqual(names, ["rank-00000.db", "rank-00001.db"])

    def test_run_around_the_launcher(self):
        for launcher, program in self.mpis():
            done = self.callsign_run("--", *launcher, program)
            self.assert_recorded(done, 1)
            folder = os.path.basename(self.folders()[0])
            self.assertIn(f"callsign: 2 ranks recorded; next: callsign report {folder}\n", done.stderr)

    def test_launcher_of_another_mpi_is_told(self):
        launches = list(self.kept())
        if len(launches) < 2:
            self.skipTest("needs two MPIs")
        for (_, program), (launcher, _) in (launches[:2], launches[1::-1]):
            done = self.callsign_run("--", *launcher, program)
            self.assertEqual((done.returncode, done.stdout.splitlines()), (0, ["rank 0 of 1"] * 2), done.stderr)
            name, mpis = os.path.basename(program), r"(Open MPI|MPICH)"
            self.assertRegex(done.stderr, rf"callsign: 2 processes ran alone, each as a job of one rank: \S+ is the launcher of {mpis}, "
                                          rf"but {name} uses (?!\1){mpis}\. Use the launcher of its MPI\n")
            # A script in the place of a launcher: which MPI it serves is not known.
            script = os.path.join(self.work, "start")
            with open(script, "w", encoding="utf-8") as file:
                file.write(f'#!/bin/sh\nexec {" ".join(launcher)} "$@"\n')
            os.chmod(script, 0o755)
            done = self.callsign_run("--", script, program)
            self.assertIn("callsign: 2 processes ran alone, each as a job of one rank: is the launcher that of another MPI? See `callsign doctor`", done.stderr)
        for launcher, program in launches:  # jobs of one rank that belong to nobody else
            for line in (f"{program}; {program}", f"{program} & {program} & wait", f"{' '.join(launcher[:-1])} 1 {program}; {program}"):
                done = self.callsign_run("sh", "-c", line)
                self.assertEqual(done.stdout.splitlines(), ["rank 0 of 1"] * 2, done.stderr)
                self.assertNotIn("job of its own", done.stderr)

    def kept(self):
        """(launcher, program) of each MPI, whose programs stay."""
        for number, (launcher, program) in enumerate(self.mpis()):
            yield launcher, shutil.copy(program, f"{program}{number}")

    def test_run_inside_the_launcher(self):
        for launcher, program in self.mpis():
            self.assert_recorded(self.call(*launcher, options.command, "run", program), 1)

    def test_run_around_and_inside(self):
        for launcher, program in self.mpis():
            self.assert_recorded(self.callsign_run(*launcher, options.command, "run", program), 1)

    def test_preload_by_hand(self):
        for launcher, program in self.mpis():
            front = self.callsign_run("-q", "sh", "-c", 'echo "$LD_PRELOAD"').stdout.strip()
            self.assert_recorded(self.call(*launcher, program, LD_PRELOAD=front), 1)

    def asking(self):
        """(launcher, program, function): the program refers weakly to a function that the MPI lacks, of newer or of older ones."""
        for launcher, program in self.mpis("asking.c"):
            for function in ("MPI_Abi_get_version", "MPIX_Delete_error_code"):
                bare = self.call(*launcher, program, function)
                self.assertEqual(bare.returncode, 0, bare.stderr)
                if bare.stdout.split() == ["absent"] * 2:
                    yield launcher, program, function
                    break
            else:
                self.fail(f"{launcher[0]}: this MPI has both functions")

    def test_weak_reference_to_what_the_mpi_lacks_is_null_as_bare(self):
        for launcher, program, function in self.asking():
            for words in ([*launcher, program, function], [program, function]):
                done = self.callsign_run("-q", *words)
                self.assertEqual((done.returncode, set(done.stdout.splitlines()), done.stderr), (0, {"absent"}, ""))

    def test_weak_reference_with_the_names_of_all_gets_mpis_own_error(self):
        for launcher, program, function in self.asking():
            front = self.callsign_run("-q", "sh", "-c", 'echo "$LD_PRELOAD"').stdout.strip()
            done = self.call(*launcher, program, function, LD_PRELOAD=front)
            self.assertEqual((done.returncode, sorted(done.stdout.splitlines())), (0, ["MPI_ERR_OTHER"] * 2), done.stderr)
            lines = [line for line in done.stderr.splitlines() if line.startswith("callsign: ")]
            self.assertEqual(len(lines), 2, done.stderr)
            self.assertTrue(all(f"{function} is not in " in line for line in lines), lines)

    def test_several_launches_in_one_script(self):
        for launcher, program in self.mpis():
            line = " ".join([*launcher, program])
            done = self.callsign_run("sh", "-c", f"{line} & {line} & wait; {line}")
            self.assert_recorded(done, 3)
            self.assertEqual(len(re.findall("2 ranks recorded", done.stderr)), 3)

    def test_shell_between_launcher_and_program(self):
        for launcher, program in self.mpis():
            self.assert_recorded(self.callsign_run(*launcher, "sh", "-c", f"{program}; exit $?"), 1)

    def test_users_own_forwarding_still_works(self):
        for launcher, program in self.mpis():
            if "--oversubscribe" not in launcher:
                continue
            done = self.callsign_run(*launcher, "-x", "MINE=5", "sh", "-c", f"test $MINE = 5 && {program}")
            self.assert_recorded(done, 1)
            for folder in self.folders():
                shutil.rmtree(folder)
            done = self.callsign_run(*launcher, "sh", "-c", f"test $MINE = 6 && {program}",
                                     MINE="6", OMPI_MCA_mca_base_env_list="MINE")
            self.assert_recorded(done, 1)

    def test_preload_on_the_launchers_line_is_recorded(self):
        source = os.path.join(self.work, "theirs.c")
        library = os.path.join(self.work, "libtheirs.so")
        with open(source, "w", encoding="ascii") as file:
            file.write("int theirs = 1;\n")
        bounded.run([options.cc, "-shared", "-fPIC", "-o", library, source], check=True, timeout=SECONDS)
        given = f"LD_PRELOAD={library}"
        for launcher, program in self.mpis():
            if "--oversubscribe" in launcher:
                forms = [["-x", given], ["--mca", "mca_base_env_list", given], ["env", given]]
            else:
                forms = [["-genv", "LD_PRELOAD", library], ["-env", "LD_PRELOAD", library], ["env", given]]
            for form in forms:
                done = self.callsign_run(*launcher, *form, "sh", "-c", f"case $LD_PRELOAD in *:{library}) exec {program};; esac; exit 9")
                self.assert_recorded(done, 1)
                for folder in self.folders():
                    shutil.rmtree(folder)

    def test_named_folder_is_not_mixed_with_an_older_run(self):
        for launcher, program in self.mpis():
            for expected in ("mine.callsign", "mine-2.callsign"):
                done = self.callsign_run("--run", "mine.callsign", *launcher, program)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(f"callsign report {expected}\n", done.stderr)


if __name__ == "__main__":
    command.main()
