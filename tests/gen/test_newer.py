"""An MPI that is newer than callsign: what ends the build, and what is passed on to it unrecorded and named. A small MPI stands for it, with a
library for Fortran."""

import os
import unittest

import support
import tiny
from gen import passed_on

SPEC = """\
1000 MPI_Send point-to-point comm:6 peer:4,5 sent:2,3,4
1002 MPI_Bsend point-to-point comm:6 peer:4,5 sent:2,3,4
25000 MPIX_Odd communicator comm:1 makes-comm:2 lineage:odd,whole
"""
HEADER = """\
typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Group;
typedef int MPI_Request;
typedef int MPI_Op;
typedef struct MPI_Status { int MPI_SOURCE; } MPI_Status;
int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
"""
SEND = "int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);\n"
EXTENSION = "int MPIX_Future(int *answer);\n"
STANDARD = "int MPI_Future_thing(int *answer);\n"
UNKNOWN_STANDARD = "callsign: MPI_Future_thing: exported by the library, but gen/spec has no line for it: add one, or add its reason to gen/library.py\n"
HINT = f"callsign: {passed_on.HINT}\n"


class Newer(tiny.TinyMpi):
    SPEC = SPEC

    def make(self, library, names):
        self.make_shared("".join(f"int {name}(void);\nint {name}(void) {{ return 0; }}\n" for name in names), f"{library}.so")

    def gen(self, *arguments):
        return super().gen("--library", self.path("libmpi.so"), "--fortran", self.path("libmpifort.so"), *arguments)

    def build(self, header, more=(), fortran=(), twins=True, arguments=()):
        """The generator on an MPI of MPI_Send and more."""
        names = ["MPI_Send", *more]
        self.write("mpi.h", HEADER + header)
        self.make("libmpi", [*names, *(f"P{name}" for name in names if twins)])
        self.make("libmpifort", ["mpi_send_", "pmpi_send_", *fortran])
        return self.gen("--flavour", "newer", "--cc", support.COMPILER, "--include", self.folder, *arguments)

    def passes(self, run, names, reason):
        """The build is told in one line, and keeps the names where `callsign version` finds them and the check of the library does."""
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn(f"callsign: newer: passed on to the MPI, not recorded: {', '.join(names)} ({reason})\n", run.stdout)
        self.assertEqual(self.read("out/passed_on.txt"), "".join(f"{name} # {reason}\n" for name in names))
        self.assertIn("const char callsign_passed_on[] =\n" + "\n".join(f'    "{name}\\0"' for name in names) + ";\n", self.read("out/passed_on.c"))
        for name in names:
            self.assertNotIn(name, self.read("out/names.txt") + self.read("out/fortran_names.txt") + self.read("out/next.c"))
        finished = self.gen("--verify", self.path("libmpi.so"), "--passed-on", self.path("out/passed_on.txt"))
        self.assertNotRegex(finished.stderr, "|".join(names))

    def test_an_mpi_that_is_known_has_nothing_to_pass_on(self):
        run = self.build("")
        self.assertEqual((run.returncode, run.stdout), (0, "callsign: newer: 1 functions wrapped, 1 Fortran entry points\n"), run.stderr)
        self.assertEqual(self.read("out/passed_on.txt"), "")
        self.assertIn('const char callsign_passed_on[] = "";\n', self.read("out/passed_on.c"))

    def test_an_unknown_extension_is_passed_on(self):
        self.passes(self.build(EXTENSION, ["MPIX_Future"]), ["MPIX_Future"], passed_on.UNKNOWN)

    def test_an_unknown_entry_point_for_fortran_is_passed_on(self):
        self.passes(self.build("", fortran=["mpi_future_", "pmpi_future_"]), ["mpi_future_"], passed_on.UNKNOWN)

    def test_of_an_entry_point_in_several_spellings_one_is_named_and_none_is_wrapped(self):
        run = self.build("", fortran=["mpi_future_", "mpi_future", "mpi_future__", "MPI_FUTURE"])
        self.passes(run, ["mpi_future_"], passed_on.UNKNOWN)

    def test_an_unknown_function_of_the_standard_ends_the_build_and_the_way_out_is_named(self):
        run = self.build(STANDARD, ["MPI_Future_thing"])
        self.assertEqual((run.returncode, run.stdout, run.stderr), (1, "", UNKNOWN_STANDARD + HINT))
        self.assertFalse(os.path.exists(self.path("out/passed_on.c")))

    def test_an_unknown_function_of_the_standard_is_passed_on_when_that_is_asked_for(self):
        self.passes(self.build(STANDARD, ["MPI_Future_thing"], arguments=["--unknown", "pass"]), ["MPI_Future_thing"], passed_on.UNKNOWN)

    def test_a_function_that_is_declared_and_not_there_is_not_named(self):
        self.assertIn("MPI_Future_thing: declared at mpi.h:9, but", self.build(EXTENSION + STANDARD).stderr)
        run = self.build(EXTENSION + STANDARD, arguments=["--unknown", "pass"])
        self.assertEqual((run.returncode, self.read("out/passed_on.txt")), (0, ""), run.stderr)

    def test_a_known_function_that_no_header_declares_is_as_an_unknown_one(self):
        run = self.build("", ["MPI_Bsend"])
        self.assertEqual((run.returncode, run.stderr), (1, "callsign: MPI_Bsend: exported by the library, but its header does not declare it: "
                                                           "it cannot be wrapped\n" + HINT))
        self.passes(self.build("", ["MPI_Bsend"], arguments=["--unknown", "pass"]), ["MPI_Bsend"], passed_on.UNDECLARED)

    def test_a_known_extension_with_other_arguments_is_passed_on_with_its_entry_points(self):
        run = self.build("int MPIX_Odd(int flags, MPI_Comm comm, MPI_Comm *made);\n", ["MPIX_Odd"], ["mpix_odd_", "pmpix_odd_"])
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn(f"not recorded: MPIX_Odd ({passed_on.OTHER}); mpix_odd_ ({passed_on.UNDECLARED})\n", run.stdout)
        self.assertEqual(self.read("out/names.txt"), "MPI_Send\n")
        self.assertEqual(self.read("out/fortran_names.txt").split()[0], "mpi_send_")
        self.assertNotIn("mpix_", self.read("out/fortran_names.txt"))

    def test_a_known_function_of_the_standard_with_other_arguments_ends_the_build_and_says_which(self):
        other = "int MPI_Bsend(long flags, const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);\n"
        run = self.build(other, ["MPI_Bsend"])
        self.assertEqual(run.returncode, 1)
        self.assertIn("gen/spec/one.spec:2: MPI_Bsend: role comm:6: parameter 6 is int, but MPI_Comm must be MPI_Comm (mpi.h:8)\n", run.stderr)
        self.assertTrue(run.stderr.endswith(HINT))
        self.passes(self.build(other, ["MPI_Bsend"], arguments=["--unknown", "pass"]), ["MPI_Bsend"], passed_on.OTHER)

    def test_a_new_extension_needs_no_profiling_name(self):
        run = self.build("int MPIX_Odd(MPI_Comm comm, MPI_Comm *made);\n", ["MPIX_Odd"])
        self.make("libmpi", ["MPI_Send", "PMPI_Send", "MPIX_Odd"])
        run = self.gen("--flavour", "newer", "--cc", support.COMPILER, "--include", self.folder)
        self.assertEqual((run.returncode, self.read("out/names.txt")), (0, "MPI_Send\nMPIX_Odd\n"), run.stderr)
        self.assertIn('{"MPIX_Odd", "MPIX_Odd", (void **)&cs_next.MPIX_Odd, cs_weak_PMPIX_Odd},', self.read("out/next.c"))

    def test_all_that_ends_the_build_is_told_at_once(self):
        run = self.build(STANDARD, ["MPI_Future_thing", "MPI_Bsend", "MPIX_Future"])
        self.assertEqual((run.returncode, run.stderr.count("\n")), (1, 3), run.stderr)


if __name__ == "__main__":
    unittest.main()
