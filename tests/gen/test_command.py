"""The command that the build runs, end to end, on a tiny MPI made of the fixture."""

import os
import unittest

import support
import tiny

SPEC = """\
1000 MPI_Send point-to-point comm:6 peer:4,5 sent:2,3,4
1016 MPI_Recv point-to-point comm:6 peer:4,5 status:7 received:7
1018 MPI_Newer point-to-point manual
"""
HEADER = """\
typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef struct MPI_Status { int MPI_SOURCE; } MPI_Status;
int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status);
"""
LIBRARY = "".join(f"int {name}(void) {{ return 0; }}" for name in ("MPI_Send", "PMPI_Send", "MPI_Recv", "PMPI_Recv"))


class Command(tiny.TinyMpi):
    SPEC, HEADER = SPEC, HEADER

    def setUp(self):
        super().setUp()
        self.make_shared(LIBRARY)
        self.library = ("--library", self.path("libmpi.so"))

    def test_a_complete_spec_gives_all_files(self):
        run = self.flavour(*self.library)
        self.assertEqual((run.returncode, run.stdout), (0, "callsign: tiny: 2 functions wrapped, 0 Fortran entry points\n"), run.stderr)
        fortran = ["fortran_names.txt", "fortran_next.c", "fortran_next.h", "fortran_one.c", "fortran_ready.c"]
        names = ["names.txt", "next.c", "next.h", "passed_on.c", "passed_on.txt", "pmpi_queries.c", "pmpi_queries.h", "whole_mpi.h", "wrappers_one.c"]
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["callsign", "emulated.c", "emulated.h"] + fortran + names)

    def test_without_a_library_the_header_says_which_functions_there_are(self):
        run = self.flavour()
        self.assertEqual((run.returncode, run.stdout), (0, "callsign: tiny: 2 functions wrapped, 0 Fortran entry points\n"), run.stderr)
        self.compile("linked.so", self.read("out/linked.c"), "-shared", "-fPIC", "-fvisibility=hidden")
        self.assertEqual(support.library.symbols_of(self.path("linked.so"), support.NM), support.library.parse_symbols(
            "".join(f"0 T {name}\n" for name in ("MPI_Send", "PMPI_Send", "MPI_Recv", "PMPI_Recv"))))
        verify = ("--verify", self.path("linked.so"), "--wrapped", self.path("out/names.txt"))
        self.assertEqual(self.gen(*verify).returncode, 0)
        self.make_shared("int MPI_Send(void) { return 0; }")
        self.assertIn("MPI_Recv", self.gen("--verify", self.path("libmpi.so"), *verify[2:]).stderr)

    def test_the_common_files_need_no_mpi(self):
        run = self.gen("--common")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["functions.c", "functions.h", "journal_facts.h", "journal_layout.c", "journal_layout.h",
                          "journal_words.h", "names.txt"])
        self.assertEqual(self.read("out/names.txt"), "MPI_Send\nMPI_Recv\nMPI_Newer\n")

    def test_an_unchanged_file_is_not_written_again(self):
        self.flavour(*self.library)
        before = os.stat(self.path("out/next.h")).st_mtime_ns
        self.flavour(*self.library)
        self.assertEqual(os.stat(self.path("out/next.h")).st_mtime_ns, before)

    def test_a_function_that_was_missed_stops_the_build_with_one_line_and_a_way_out(self):
        self.make_shared(LIBRARY + " int MPI_Secret(void) { return 0; }")
        run = self.flavour(*self.library)
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertEqual(run.stderr.count("\n"), 2)
        self.assertIn("callsign: MPI_Secret: exported by the library, but gen/spec has no line for it", run.stderr)
        self.assertFalse(os.path.exists(self.path("out")))

    def test_a_wrong_spec_line_stops_the_build_and_is_named(self):
        self.write("spec/one.spec", SPEC + "1018 MPI_Late io com:1\n")
        run = self.gen("--common")
        self.assertEqual(run.returncode, 1)
        where = "callsign: gen/spec/one.spec:4: "
        self.assertEqual(run.stderr, where + "number 1018 is already taken by MPI_Newer at gen/spec/one.spec:3\n")

    def test_a_finished_library_that_lacks_a_function_stops_the_build(self):
        arguments = ["--verify", self.path("libmpi.so"), "--library", self.path("libmpi.so")]
        self.assertEqual(self.gen(*arguments).returncode, 0)
        os.rename(self.path("libmpi.so"), self.path("libcallsign.so"))
        self.make_shared(LIBRARY + " int MPI_Init(void) { return 0; }")
        run = self.gen("--verify", self.path("libcallsign.so"), *arguments[2:])
        self.assertEqual(run.returncode, 1)
        self.assertIn("callsign: MPI_Init: the finished library does not define it", run.stderr)

    def test_a_finished_library_that_lacks_a_fortran_entry_point_stops_the_build(self):
        self.make_shared(LIBRARY + " void mpi_send_(void) {}")
        libraries = ["--library", self.path("libmpi.so"), "--fortran", self.path("libmpi.so")]
        self.assertEqual(self.gen("--verify", self.path("libmpi.so"), *libraries).returncode, 0)
        os.rename(self.path("libmpi.so"), self.path("libcallsign.so"))
        self.make_shared(LIBRARY + " void mpi_send_(void) {} void mpi_send__(void) {}")
        run = self.gen("--verify", self.path("libcallsign.so"), *libraries)
        self.assertEqual(run.returncode, 1)
        self.assertIn("callsign: mpi_send__: the finished library does not define this Fortran entry point", run.stderr)

    def test_a_folder_without_spec_files_is_refused(self):
        os.remove(self.path("spec/one.spec"))
        run = self.gen("--common")
        self.assertEqual(run.returncode, 1)
        self.assertIn("no .spec files", run.stderr)


if __name__ == "__main__":
    unittest.main()
