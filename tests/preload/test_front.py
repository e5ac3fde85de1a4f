"""The front library against an MPI and a flavour of the tests' own. No real MPI is needed.

    test_front.py --front libcallsign.so [--cc CC] [--emulator 'qemu-aarch64 -L ...'] [unittest arguments]
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "support"))
import bounded  # noqa: E402  (the path must be set first)

ROOT = os.path.dirname(os.path.dirname(HERE))
SECONDS = 60
EVERYTHING = ["init", "integers", "doubles", "structure", "variadic", "finalize"]
options = None


class Stage:
    """Fixtures, compiled once: folders of libraries as an installation would have them."""

    def __init__(self, folder):
        self.folder = folder
        self.mpi = os.path.join(folder, "mpi")
        os.makedirs(self.mpi)
        self.library("fake_mpi.c", "mpi/libmpi.so.40", "-Wl,-soname,libmpi.so.40")
        self.library("fake_mpi.c", "mpi/libmpich.so.12", "-DONLY_FUNCTIONS", "-Wl,-soname,libmpich.so.12")
        for soname in ("libmpi.so.99", "libmessages.so.1"):
            self.library("fake_mpi.c", f"mpi/{soname}", f"-Wl,-soname,{soname}", "-DWITH_SESSIONS")
            self.program("linked.c", f"linked_to_{soname}", f"{self.mpi}/{soname}")
        # At link time, programs see a library with one more function than at run time.
        os.makedirs(os.path.join(folder, "link"))
        self.library("fake_mpi.c", "link/libmpi.so", "-Wl,-soname,libmpi.so.40", "-DWITH_SESSIONS")
        self.library("fake_mpi.c", "link/libmpich.so", "-DONLY_FUNCTIONS", "-Wl,-soname,libmpich.so.12", "-DWITH_SESSIONS")
        for name in ("good", "missing", "broken", "refusing"):
            os.makedirs(os.path.join(folder, name))
            shutil.copy(options.front, os.path.join(folder, name, "libcallsign.so"))
        flavour = "libcallsign-openmpi.so"
        self.library("fake_flavour.c", f"good/{flavour}", f"-Wl,-soname,{flavour}")
        self.library("fake_flavour.c", f"refusing/{flavour}", f"-Wl,-soname,{flavour}", "-DREFUSE")
        with open(os.path.join(folder, "broken", flavour), "w", encoding="ascii") as file:
            file.write("no library at all\n")
        mpi = [f"-L{folder}/link", "-lmpi"]
        self.library("plugin.c", "plugin.so", *mpi)
        self.library("plugin.c", "plugin_constructor.so", "-DCONSTRUCTOR", *mpi)
        self.library("plugin.c", "plugin_slow_constructor.so", "-DCONSTRUCTOR", "-DSLOWLY", *mpi)
        self.library("tool.c", "tool.so")
        self.library("tool.c", "tool_by_handle.so", "-DBY_HANDLE")
        self.library("tool.c", "tool_profiling.so", "-DPROFILING")
        self.library("tool.c", "tool_profiling_linked.so", "-DPROFILING", "-Wl,--no-as-needed", *mpi)
        self.program("linked.c", "linked", *mpi)
        self.program("linked.c", "linked_with_callsign", f"-L{folder}/good", "-lcallsign", *mpi)
        for tool in ("tool", "tool_profiling", "tool_profiling_linked"):
            self.program("linked.c", f"linked_with_{tool}", os.path.join(folder, f"{tool}.so"), *mpi)
        self.program("linked.c", "linked_mpich_with_callsign", "-DONLY_FUNCTIONS", f"-L{folder}/good", "-Wl,--as-needed", "-lcallsign",
                     f"-L{folder}/link", "-lmpich")
        self.program("linked.c", "linked_mpich", "-DONLY_FUNCTIONS", f"-L{folder}/link", "-lmpich")
        self.program("threads.c", "threads", "-pthread", "-ldl", *mpi)
        self.program("loaded.c", "loaded", "-ldl")
        self.program("loaded.c", "loaded_and_linked", "-ldl", "-Wl,--no-as-needed", *mpi)
        self.program("weak.c", "weak")
        self.program("weak.c", "weak_openmpi", "-Wl,--no-as-needed", *mpi)
        self.program("weak.c", "weak_mpich", "-Wl,--no-as-needed", f"-L{folder}/link", "-lmpich")

    def compile(self, source, output, *arguments):
        command = [*shlex.split(options.cc), "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-g", "-I", ROOT, "-o", os.path.join(self.folder, output),
                   os.path.join(HERE, "programs", source), *arguments]
        bounded.run(command, check=True, timeout=SECONDS)

    def library(self, source, output, *arguments):
        self.compile(source, output, "-shared", "-fPIC", *arguments)

    def program(self, source, output, *arguments):
        self.compile(source, output, *arguments)


class FrontTest(unittest.TestCase):
    stage = None

    def setUp(self):
        self.work = tempfile.mkdtemp(prefix="callsign-front-")
        self.addCleanup(shutil.rmtree, self.work)

    def run_program(self, *command, preload=(), environment=None, cwd=None):
        """Runs a fixture; command[0] is looked up in the stage. Returns the finished process; .counts is what the flavour wrote."""
        counts = os.path.join(self.work, "counts")
        program = os.path.join(self.stage.folder, command[0])
        variables = {"LD_LIBRARY_PATH": f"{self.stage.mpi}:{self.stage.folder}/good", "FAKE_COUNTS": counts, **(environment or {})}
        if preload:
            variables["LD_PRELOAD"] = ":".join(os.path.join(self.stage.folder, name) if cwd is None else name for name in preload)
        whole = [program, *command[1:]]
        if options.emulator:
            settings = [word for name, value in variables.items() for word in ("-E", f"{name}={value}")]
            whole = [*shlex.split(options.emulator), *settings, *whole]
            variables = {}
        done = bounded.run(whole, env={"PATH": os.environ["PATH"], **variables}, cwd=cwd or self.work, timeout=SECONDS,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        done.counts = ""
        if os.path.exists(counts):
            with open(counts, encoding="ascii") as file:
                done.counts = file.read()
            os.remove(counts)
        return done

    def assert_well(self, done, counts=None, lines=0):
        """The program did what it does without callsign; the flavour's counts; so many lines on stderr."""
        self.assertEqual((done.returncode, done.stdout), (5, "done\n"), done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), lines, done.stderr)
        if counts is not None:
            self.assertEqual(done.counts, counts)

    # ---- arguments ----

    def test_first_call_keeps_integer_arguments(self):
        self.assert_well(self.run_program("linked", "integers", preload=["good/libcallsign.so"]), "attached 1 calls 1\n")

    def test_first_call_keeps_floating_arguments(self):
        self.assert_well(self.run_program("linked", "doubles", preload=["good/libcallsign.so"]), "attached 1 calls 1\n")

    def test_first_call_keeps_the_address_of_a_returned_structure(self):
        self.assert_well(self.run_program("linked", "structure", preload=["good/libcallsign.so"]), "attached 1 calls 1\n")

    def test_first_call_keeps_variadic_arguments_of_a_name_that_the_flavour_lacks(self):
        self.assert_well(self.run_program("linked", "variadic", preload=["good/libcallsign.so"]), "attached 1 calls 0\n")

    # ---- programs ----

    def test_linked_program_is_seen_whole(self):
        self.assert_well(self.run_program("linked", *EVERYTHING, preload=["good/libcallsign.so"]), "attached 1 calls 5\n")

    def test_bind_now_changes_nothing(self):
        done = self.run_program("linked", *EVERYTHING, preload=["good/libcallsign.so"], environment={"LD_BIND_NOW": "1"})
        self.assert_well(done, "attached 1 calls 5\n")

    def test_relative_preload_path_is_fine(self):
        done = self.run_program("linked", "init", preload=["./libcallsign.so"], cwd=os.path.join(self.stage.folder, "good"))
        self.assert_well(done, "attached 1 calls 1\n")

    def test_mpi_opened_locally_is_seen_through_a_plugin(self):
        plugin = os.path.join(self.stage.folder, "plugin.so")
        self.assert_well(self.run_program("loaded", "plugin", plugin, preload=["good/libcallsign.so"]), "attached 1 calls 3\n")

    def test_first_call_in_a_constructor_is_seen(self):
        plugin = os.path.join(self.stage.folder, "plugin_constructor.so")
        self.assert_well(self.run_program("loaded", "plugin", plugin, preload=["good/libcallsign.so"]), "attached 1 calls 4\n")

    def test_functions_asked_for_by_handle_are_seen(self):
        mpi = os.path.join(self.stage.mpi, "libmpi.so.40")
        self.assert_well(self.run_program("loaded", "handle", mpi, preload=["good/libcallsign.so"]), "attached 1 calls 3\n")

    def test_functions_asked_for_by_handle_are_seen_by_the_flavour_that_stands_first(self):
        mpi = os.path.join(self.stage.mpi, "libmpi.so.40")
        done = self.run_program("loaded", "handle", mpi, preload=["good/libcallsign-openmpi.so", "good/libcallsign.so"])
        self.assert_well(done, "attached 0 calls 3\n")

    def test_asking_the_search_order_tells_what_the_mpi_has(self):
        mpi = os.path.join(self.stage.mpi, "libmpi.so.40")
        self.assert_well(self.run_program("loaded", "default", mpi, preload=["good/libcallsign.so"]), "attached 1 calls 1\n")

    def test_racing_first_calls_attach_once_and_lose_nothing(self):
        for _ in range(5):
            done = self.run_program("threads", preload=["good/libcallsign.so"])
            self.assert_well(done)
            self.assertEqual(done.counts.splitlines()[-1], "attached 1 calls 16")

    def test_first_calls_of_a_constructor_and_a_thread_do_not_wait_for_each_other(self):
        library = os.path.join(self.stage.folder, "plugin_slow_constructor.so")
        self.assert_well(self.run_program("threads", library, preload=["good/libcallsign.so"]))

    def test_second_mpi_asked_for_by_handle_is_left_alone(self):
        mpich = os.path.join(self.stage.mpi, "libmpich.so.12")
        self.assert_well(self.run_program("loaded_and_linked", "handle", mpich, preload=["good/libcallsign.so"]), "")

    # ---- linked to the program, or twice in it ----

    def test_linked_front_works_without_preload(self):
        self.assert_well(self.run_program("linked_with_callsign", *EVERYTHING), "attached 1 calls 5\n")

    def test_linked_front_brings_the_mpi_that_the_linker_left_out(self):
        done = self.run_program("linked_mpich_with_callsign", *EVERYTHING)
        self.assert_bare(done, "MPICH", "libmpich.so.12")

    def test_linked_and_preloaded_front_counts_once(self):
        done = self.run_program("linked_with_callsign", *EVERYTHING, preload=["good/libcallsign.so"])
        self.assert_well(done, "attached 1 calls 5\n")

    def test_another_copy_of_the_front_behind_is_passed_through(self):
        done = self.run_program("linked", *EVERYTHING, preload=["good/libcallsign.so", "missing/libcallsign.so"])
        self.assert_well(done, "attached 1 calls 5\n")

    def test_flavour_preloaded_before_a_linked_front_counts_once(self):
        done = self.run_program("linked_with_callsign", *EVERYTHING, preload=["good/libcallsign-openmpi.so"])
        self.assert_well(done, "attached 0 calls 5\n")

    def test_flavour_preloaded_behind_the_front_counts_once(self):
        done = self.run_program("linked", *EVERYTHING, preload=["good/libcallsign.so", "good/libcallsign-openmpi.so"])
        self.assert_well(done, "attached 1 calls 5\n")

    # ---- other tools ----

    def test_tool_behind_sees_the_call(self):
        done = self.run_program("linked", "init", preload=["good/libcallsign.so", "tool.so"])
        self.assert_well(done, "attached 1 calls 1\n", lines=1)

    def test_tool_before_sees_the_call(self):
        done = self.run_program("linked", "init", preload=["tool.so", "good/libcallsign.so"])
        self.assert_well(done, "attached 1 calls 1\n", lines=1)

    def test_tool_that_defines_profiling_names_is_no_mpi(self):
        for tool in ("tool_profiling.so", "tool_profiling_linked.so"):
            for preload in (["good/libcallsign.so", tool], [tool, "good/libcallsign.so"]):
                with self.subTest(preload=preload):
                    self.assert_well(self.run_program("linked", *EVERYTHING, preload=preload), "attached 1 calls 5\n", lines=2)

    def test_linked_tool_sees_the_call_whatever_it_defines(self):
        for tool in ("tool", "tool_profiling", "tool_profiling_linked"):
            with self.subTest(tool=tool):
                done = self.run_program(f"linked_with_{tool}", *EVERYTHING, preload=["good/libcallsign.so"])
                self.assert_well(done, "attached 1 calls 5\n", lines=1 if tool == "tool" else 2)

    def test_library_that_has_its_own_mpi_is_named_where_another_mpi_stands_behind_it(self):
        done = self.run_program("linked_to_libmessages.so.1", "init", "finalize", preload=["good/libcallsign.so", "plugin.so"])
        self.assert_bare(done, "libmessages.so.1 defines MPI_Init but is no MPI that callsign knows")

    def test_tool_that_asks_the_mpi_by_handle_gets_the_real_function(self):
        done = self.run_program("linked", "init", preload=["good/libcallsign.so", "tool_by_handle.so"])
        self.assert_well(done, "attached 1 calls 1\n", lines=1)

    def test_tool_behind_sees_the_call_when_the_flavour_is_missing(self):
        done = self.run_program("linked", "init", preload=["missing/libcallsign.so", "tool.so"])
        self.assert_well(done, "", lines=2)

    # ---- no flavour ----

    def assert_bare(self, done, *words):
        self.assert_well(done, lines=1)
        for word in ("callsign: ", "nothing is recorded", *words):
            self.assertIn(word, done.stderr)

    def test_missing_flavour_gives_one_line_and_a_bare_run(self):
        done = self.run_program("linked", *EVERYTHING, preload=["missing/libcallsign.so"])
        self.assert_bare(done, "Open MPI", "libmpi.so.40", "libcallsign-openmpi.so", "CALLSIGN_MPICC")

    def test_program_of_an_mpi_without_a_build_runs_bare(self):
        done = self.run_program("linked_mpich", *EVERYTHING, preload=["good/libcallsign.so"])
        self.assert_bare(done, "MPICH", "libmpich.so.12")

    def test_program_of_an_unknown_version_or_library_runs_bare(self):
        done = self.run_program("linked_to_libmpi.so.99", "init", "finalize", preload=["good/libcallsign.so"])
        self.assert_bare(done, "libmpi.so.99, an MPI that callsign was not built for")
        done = self.run_program("linked_to_libmessages.so.1", "init", "finalize", preload=["good/libcallsign.so"])
        self.assert_bare(done, "libmessages.so.1 defines MPI_Init but is no MPI that callsign knows")

    def test_broken_flavour_gives_one_line_and_a_bare_run(self):
        self.assert_bare(self.run_program("linked", *EVERYTHING, preload=["broken/libcallsign.so"]), "cannot load")

    def test_refusing_flavour_gives_one_line_and_a_bare_run(self):
        self.assert_bare(self.run_program("linked", *EVERYTHING, preload=["refusing/libcallsign.so"]), "does not fit")

    def test_bare_run_with_an_mpi_opened_locally(self):
        plugin = os.path.join(self.stage.folder, "plugin.so")
        self.assert_bare(self.run_program("loaded", "plugin", plugin, preload=["missing/libcallsign.so"]))

    # ---- nothing there ----

    def test_function_that_no_library_has_ends_as_the_dynamic_linker_would(self):
        done = self.run_program("linked", "missing", preload=["good/libcallsign.so"])
        self.assertEqual((done.returncode, done.stdout), (127, ""))
        self.assertIn("undefined symbol: MPI_Session_init", done.stderr)

    def test_weak_question_without_an_mpi_is_answered_no(self):
        self.assert_well(self.run_program("weak", preload=["good/libcallsign.so"]), "")

    def assert_fails_softly(self, program, name, *answers):
        """The program that has a weak reference to this name gets these answers, and one line says so."""
        done = self.run_program(program, name, preload=["good/libcallsign.so"])
        self.assertEqual((done.returncode, done.stdout.splitlines()), (5, [*answers, "done"]), done.stderr)
        (line,) = done.stderr.splitlines()
        self.assertTrue(line.startswith(f"callsign: {name} is not in "), line)

    def test_weak_reference_to_what_the_flavour_has_and_the_mpi_lacks_gets_an_error_of_that_mpi(self):
        self.assert_fails_softly("weak_openmpi", "MPI_Abi_get_version", "16 16")

    def test_weak_reference_to_what_an_mpi_without_a_build_lacks_gets_an_error(self):
        done = self.run_program("weak_mpich", "MPI_Abi_get_version", preload=["good/libcallsign.so"])
        self.assertEqual((done.returncode, done.stdout), (5, "15 15\ndone\n"), done.stderr)

    def test_weak_reference_without_an_mpi_gets_an_error(self):
        self.assert_fails_softly("weak", "MPI_Abi_get_version", "16 16")

    def test_weak_question_whether_the_mpi_can_something_is_answered_no(self):
        self.assert_fails_softly("weak_openmpi", "MPIX_Query_hip_support", "0")

    def test_weak_reference_to_what_needs_no_mpi_gets_the_answer(self):
        done = self.run_program("weak", "MPI_Aint_add", preload=["good/libcallsign.so"])
        self.assertEqual((done.returncode, done.stdout, done.stderr), (5, "104 96\ndone\n", ""))

    def test_program_without_mpi_is_untouched(self):
        if options.emulator:
            self.skipTest("/bin/true is of this machine")
        done = self.run_program("/bin/true", preload=["good/libcallsign.so"])
        self.assertEqual((done.returncode, done.stdout, done.stderr, done.counts), (0, "", "", ""))
        self.assertEqual(os.listdir(self.work), [])

    def test_shell_is_untouched_and_its_mpi_program_is_seen(self):
        if options.emulator:
            self.skipTest("/bin/sh is of this machine")
        done = self.run_program("/bin/sh", "-c", f"{self.stage.folder}/linked init", preload=["good/libcallsign.so"])
        self.assert_well(done, "attached 1 calls 1\n")


def main():
    global options
    parser = argparse.ArgumentParser()
    parser.add_argument("--front", required=True)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--emulator", default="")
    options, rest = parser.parse_known_args()
    with tempfile.TemporaryDirectory(prefix="callsign-front-stage-") as folder:
        FrontTest.stage = Stage(folder)
        program = unittest.main(argv=[sys.argv[0], *rest], exit=False)
    sys.exit(0 if program.result.wasSuccessful() else 1)


if __name__ == "__main__":
    main()
