"""Libraries without PMPI_ names: what is asked of them is less than of others."""

import os
import sys
import tempfile
import unittest

import support

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


class Small(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.mkdir(self.path("spec"))
        self.write("spec/one.spec", SPEC)
        self.write("mpi.h", HEADER)
        self.write("mpi.c", "int MPI_Barrier(int comm) { return comm; } int MPI_Internal_thing(void) { return 0; }")
        support.bounded.run([support.COMPILER, "-c", "-o", self.path("mpi.o"), self.path("mpi.c")], check=True)
        support.bounded.run(["ar", "rcs", self.path("libmpi.a"), self.path("mpi.o")], check=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def gen(self, *arguments):
        command = [sys.executable, "-B", "-m", "gen", "--spec", self.path("spec"), "--nm", support.NM, "--library", self.path("libmpi.a"), *arguments]
        return support.bounded.run(command, cwd=support.ROOT, capture_output=True, text=True, check=False)

    def test_a_static_one_will_do_and_what_only_it_has_is_told_and_left_alone(self):
        run = self.gen("--flavour", "tiny", "--cc", support.COMPILER, "--include", self.folder, "--out", self.path("out"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("callsign: tiny: passed on to the MPI, not recorded: MPI_Internal_thing (not in gen/spec)\n", run.stdout)
        with open(self.path("out/names.txt"), encoding="utf-8") as file:
            self.assertEqual(file.read().split(), ["MPI_Barrier", "MPI_Comm_set_name"])

    def test_what_is_wrapped_is_looked_up_under_the_name_that_its_copy_gets(self):
        self.gen("--flavour", "tiny", "--cc", support.COMPILER, "--include", self.folder, "--out", self.path("out"))
        with open(self.path("out/next.c"), encoding="utf-8") as file:
            self.assertIn('{"MPI_Barrier", "MPI_Barrier", (void **)&cs_next.MPI_Barrier, cs_weak_PMPI_Barrier},', file.read())

    def test_of_a_finished_library_what_is_passed_on_is_not_expected(self):
        self.write("passed_on.txt", "MPI_Internal_thing # not in gen/spec\n")
        self.write("one.c", "int MPI_Barrier(int comm); int MPI_Barrier(int comm) { return comm; }")
        support.bounded.run([support.COMPILER, "-shared", "-fPIC", "-o", self.path("libone.so"), self.path("one.c")], check=True)
        self.assertEqual(self.gen("--verify", self.path("libone.so"), "--passed-on", self.path("passed_on.txt")).returncode, 0)
        self.write("empty.c", "int nothing(void); int nothing(void) { return 0; }")
        support.bounded.run([support.COMPILER, "-shared", "-fPIC", "-o", self.path("libempty.so"), self.path("empty.c")], check=True)
        run = self.gen("--verify", self.path("libempty.so"), "--passed-on", self.path("passed_on.txt"))
        self.assertEqual((run.returncode, run.stderr.count("\n")), (1, 1))
        self.assertIn("MPI_Barrier", run.stderr)


if __name__ == "__main__":
    unittest.main()
