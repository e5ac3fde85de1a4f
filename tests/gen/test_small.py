"""Libraries without PMPI_ names: what is asked of them is less than of others."""

import unittest

import tiny

HEADER = """\
typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Group;
typedef int MPI_Request;
typedef int MPI_Op;
typedef struct { int MPI_SOURCE, MPI_TAG, MPI_ERROR; } MPI_Status;
#define MPI_COMM_NULL 0
#define MPI_DATATYPE_NULL 0
#define MPI_SUCCESS 0
int MPI_Barrier(MPI_Comm comm);
"""
SPEC = "4000 MPI_Barrier collective comm:1\n21000 MPI_Comm_set_name name ignores:1\n"


class Small(tiny.TinyMpi):
    SPEC, HEADER = SPEC, HEADER

    def setUp(self):
        super().setUp()
        self.make_static("int MPI_Barrier(int comm) { return comm; } int MPI_Internal_thing(void) { return 0; }")
        self.library = ("--library", self.path("libmpi.a"))

    def test_a_static_one_will_do_and_what_only_it_has_is_told_and_left_alone(self):
        run = self.flavour(*self.library)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("callsign: tiny: passed on to the MPI, not recorded: MPI_Internal_thing (not in gen/spec)\n", run.stdout)
        self.assertEqual(self.read("out/names.txt").split(), ["MPI_Barrier", "MPI_Comm_set_name"])

    def test_what_is_wrapped_is_looked_up_under_the_name_that_its_copy_gets(self):
        self.flavour(*self.library)
        self.assertIn('{"MPI_Barrier", "MPI_Barrier", (void **)&cs_next.MPI_Barrier, cs_weak_PMPI_Barrier},', self.read("out/next.c"))

    def test_its_entry_points_for_fortran_are_wrapped_and_what_only_it_has_is_told(self):
        self.make_static("void mpi_barrier_(void) {} void mpi_barrier__(void) {} void mpi_internal_thing_(void) {} int MPI_Barrier(int comm) { return comm; }")
        self.write("mpif.h", "      PARAMETER (MPI_STATUS_SIZE=3, MPI_SOURCE=1, MPI_TAG=2, MPI_ERROR=3)\n")
        run = self.flavour(*self.library, "--fortran", self.path("libmpi.a"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("callsign: tiny: passed on to the MPI, not recorded: mpi_internal_thing_ (not in gen/spec)\n", run.stdout)
        # Functions that callsign serves also exist for Fortran.
        names = self.read("out/fortran_names.txt").split()
        self.assertEqual(sorted(name for name in names if not name.endswith("_fn_")), ["mpi_barrier_", "mpi_barrier__", "mpi_comm_set_name_"])
        self.assertIn("mpi_comm_dup_fn_", names)
        self.assertIn("CS_READY_COPIES(mpi_dup_fn_, MPI_Fint)\n", self.read("out/fortran_ready.c"))
        lines = self.read("out/callsign/mpif_names_tiny.h").splitlines()
        self.assertIn("      parameter (MPI_MAX_OBJECT_NAME=127)", lines)  # one less than in C
        self.assertIn("      external MPI_COMM_DUP_FN", lines)
        self.assertLessEqual(max(map(len, lines[1:])), 72)  # fixed form ends there
        self.assertIn('{"mpi_barrier_", "mpi_barrier_", cs_weak_pmpi_barrier_},', self.read("out/fortran_next.c"))
        self.assertIn("CS_MPIF_TAG = 2,", self.read("out/fortran_next.h"))

    def test_key_that_only_fortran_has_is_the_same_number_in_c(self):
        self.write("mpif.h", "      parameter (MPI_TAG_UB=1681915906, MPI_ERR_KEYVAL=-1)\n      parameter (MPI_IO=-7)\n")
        run = self.flavour(*self.library)
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = [line.split() for line in self.read("out/callsign/names_tiny.h").splitlines()]
        self.assertIn(["#define", "MPI_TAG_UB", "(1681915906)"], lines)
        self.assertIn(["#define", "MPI_IO", "(-7)"], lines)
        self.assertIn(["#define", "MPI_HOST", "0x24000002"], lines)
        self.assertNotIn(["#define", "MPI_ERR_KEYVAL", "(-1)"], lines)  # another error has that number there

    def test_of_a_finished_library_what_is_passed_on_is_not_expected(self):
        self.write("passed_on.txt", "MPI_Internal_thing # not in gen/spec\n")
        self.make_shared("int MPI_Barrier(int comm); int MPI_Barrier(int comm) { return comm; }", "libone.so")
        self.assertEqual(self.gen(*self.library, "--verify", self.path("libone.so"), "--passed-on", self.path("passed_on.txt")).returncode, 0)
        self.make_shared("int nothing(void); int nothing(void) { return 0; }", "libempty.so")
        run = self.gen(*self.library, "--verify", self.path("libempty.so"), "--passed-on", self.path("passed_on.txt"))
        self.assertEqual((run.returncode, run.stderr.count("\n")), (1, 1))
        self.assertIn("MPI_Barrier", run.stderr)


if __name__ == "__main__":
    unittest.main()
