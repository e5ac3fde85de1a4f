"""An MPI that is newer than callsign: what callsign does not know of it reaches the MPI, however callsign and the MPI come into the program, and the
rest is recorded. It has PMPI_ names and a library for Fortran, with an entry point that has no such name."""

import unittest

import places
import harness

TREE = places.TREES["newer"]
LIB = TREE / "lib"
UNKNOWN = ["MPIX_Future", "MPI_Future_thing", "mpi_future_"]
ANSWERS = "errors 0, rank 0, size 1, extension 42, thing 1001, entry 84\n"
# One of MPI_Comm_size is a call of MPI_Future_thing: nothing that callsign knows is around it.
CALLS = {"MPI_Init": 1, "MPI_Comm_rank": 3, "MPI_Comm_size": 3, "MPI_Finalize": 1}
LINK, LINK_LATER = ([f"-L{folder}", "-lmpifort", "-lnewer", f"-Wl,-rpath,{folder}"] for folder in (places.NEWER, places.LATER))


class Newer(unittest.TestCase):
    def setUp(self):
        workspace = harness.workspace()
        self.folder = workspace.__enter__()
        self.addCleanup(workspace.cleanup)

    def program(self, link, options=()):
        path = self.folder / "newer"
        places.run([places.CC, "-g", "-O1", "-std=gnu11", "-Wall", "-Wextra", "-Werror", *options, f"-I{places.HERE / 'newer'}",
                    places.HERE / "programs" / "newer.c", *link, "-o", path])
        return path

    def answers_and_is_recorded(self, program, library=None, mpi=places.NEWER, answers=ANSWERS):
        environment = harness.base_environment(LD_LIBRARY_PATH=str(mpi), **harness.recording(self.folder, str(library)))
        if not library:
            del environment["LD_PRELOAD"]
        run = harness.run([program], environment, self.folder)
        self.assertEqual((run.code, run.stdout, run.stderr), (0, answers, ""))
        trace, = harness.databases(self.folder).values()
        with harness.open_trace(trace) as database:
            calls = dict(database.execute("SELECT function, sum(calls) FROM calls GROUP BY 1"))
        self.assertEqual(calls, CALLS)

    def test_the_program_answers_alone(self):
        run = harness.run([self.program(LINK)], harness.base_environment(), self.folder)
        self.assertEqual((run.code, run.stdout, run.stderr), (0, ANSWERS, ""))

    def test_the_library_of_all_names_is_preloaded(self):
        self.answers_and_is_recorded(self.program(LINK), LIB / "libcallsign.so")

    def test_the_library_of_this_mpi_is_preloaded(self):
        self.answers_and_is_recorded(self.program(LINK), LIB / "libcallsign-front-mpi.so")

    def test_the_flavour_is_preloaded(self):
        self.answers_and_is_recorded(self.program(LINK), LIB / "libcallsign-mpi.so")

    def test_the_program_is_linked_with_callsign(self):
        self.answers_and_is_recorded(self.program(["-Wl,--no-as-needed", f"-L{LIB}", "-lcallsign", f"-Wl,-rpath,{LIB}", *LINK]))

    def test_the_program_is_linked_with_the_flavour(self):
        self.answers_and_is_recorded(self.program(["-Wl,--no-as-needed", f"-L{LIB}", "-lcallsign-mpi", f"-Wl,-rpath,{LIB}", *LINK]))

    def test_the_program_loads_its_mpi_and_looks_up_the_names(self):
        self.answers_and_is_recorded(self.program(["-ldl"], ["-DLOADED"]), LIB / "libcallsign.so")

    def test_the_mpi_is_newer_than_the_one_that_callsign_was_built_for(self):
        program, folder = self.program(LINK_LATER, ["-DCS_LATER"]), self.folder
        for library in ("libcallsign.so", "libcallsign-front-mpi.so", "libcallsign-mpi.so"):
            with self.subTest(library=library):
                self.folder = folder / library
                self.folder.mkdir()
                self.answers_and_is_recorded(program, LIB / library, places.LATER, f"later 7, {ANSWERS}")

    def says(self, words, line):
        run = harness.run([TREE / "bin" / "callsign", *words], harness.base_environment(TMPDIR=str(self.folder)), self.folder)
        self.assertEqual((run.code, run.stderr), (0, ""), run.stdout)
        self.assertIn(line, run.stdout)

    def test_version_names_what_is_not_recorded(self):
        self.says(["version"], f"            not recorded: {', '.join(UNKNOWN)}\n")

    def test_doctor_names_what_the_program_calls_unrecorded(self):
        line = "note        the program calls functions that this callsign does not record: {}\n"
        self.says(["doctor", self.program(LINK)], line.format(", ".join(UNKNOWN)))
        self.says(["doctor", self.program(LINK_LATER, ["-DCS_LATER"])], line.format(", ".join(sorted([*UNKNOWN, "MPIX_Later"]))))

    def plain(self, calls="", link=()):
        source, program = self.folder / "plain.c", self.folder / "plain"
        source.write_text(f"#include <mpi.h>\nint main(int argc, char **argv) {{ {calls} return MPI_Init(&argc, &argv) + MPI_Finalize(); }}\n")
        places.run([places.CC, "-Wno-implicit-function-declaration", f"-I{places.HERE / 'newer'}", source, *link, *LINK, "-o", program])
        return program

    def test_doctor_names_entry_points_of_fortran_that_the_library_lacks(self):
        source, library = self.folder / "entries.c", self.folder / "libentries.so"
        source.write_text("void mpi_comm_rank_f08ts_(void) {}\nvoid mpi_dup_fn_(void) {}\n")
        places.run([places.CC, "-shared", "-fPIC", source, "-o", library])
        program = self.plain("if (argc > 1) { mpi_comm_rank_f08ts_(); mpi_dup_fn_(); }", [library, f"-Wl,-rpath,{self.folder}"])
        self.says(["doctor", program], "note        the program calls functions that this callsign does not record: mpi_comm_rank_f08ts_\n")

    def test_doctor_counts_what_the_program_does_not_call(self):
        program = self.plain()
        self.says(["doctor", program], "note        this callsign does not record 3 functions of this MPI (MPIX_Future, ...). A callsign that ")
        self.says(["doctor", program], "No problem was found: callsign can record.\n")


if __name__ == "__main__":
    unittest.main()
