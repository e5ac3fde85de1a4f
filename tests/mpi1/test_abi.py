"""callsign is built of an mpi.h of the standard ABI alone, and serves the programs of two implementations: one of them has its PMPI_ names in a
second library."""

import sqlite3
import sys
import unittest

import implementations
import places
import harness

LIB = places.TREES["abi"] / "lib"
IMPLEMENTATIONS = {"whole": implementations.WHOLE / "libmpi_abi.so.1", "split": implementations.SPLIT / "libmpi_abi.so.0"}

LACKING = """
#include <stdio.h>
#include <mpi.h>
#pragma weak MPI_Abi_get_version
int main(int argc, char **argv)
{
    int major = 7, minor = 7;
    MPI_Init(&argc, &argv);
    for (int i = 0; MPI_Abi_get_version && i < 2; i++)
        printf("%d %d\\n", MPI_Abi_get_version(&major, &minor) == MPI_SUCCESS, major);
    return MPI_Finalize();
}
"""
LOADED = """
import ctypes, sys
mpi = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_LOCAL)
answers = [mpi.MPI_Init(None, None)] + [mpi.MPI_Barrier(1) for _ in range(3)] + [mpi.MPI_Finalize()]
print(answers, hasattr(mpi, "MPI_Abi_get_version"))
"""


class Implementations(unittest.TestCase):
    def setUp(self):
        workspace = harness.workspace()
        self.folder = workspace.__enter__()
        self.addCleanup(workspace.cleanup)

    def run_recorded(self, command, library="libcallsign.so"):
        return harness.run(command, harness.base_environment(**harness.recording(self.folder, str(LIB / library))), self.folder)

    def ask(self, question):
        trace, = harness.databases(self.folder).values()
        with sqlite3.connect(trace) as database:
            return database.execute(question).fetchall()

    def linked(self, name, library, *source):
        path = self.folder / name
        places.run([places.CC, "-g", "-O1", "-std=gnu11", f"-I{places.HERE / 'abi'}", *source, library, f"-Wl,-rpath,{library.parent}", "-lpthread", "-o", path])
        return path

    def test_programs_of_each_are_recorded(self):
        for name, library in IMPLEMENTATIONS.items():
            for preloaded in ("libcallsign.so", "libcallsign-front-abi.so"):
                with self.subTest(implementation=name, preloaded=preloaded):
                    self.setUp()
                    program = self.linked("small", library, places.HERE / "programs" / "small.c", *places.WITH_CHECK)
                    bare = harness.run([program], harness.base_environment(), self.folder)
                    self.assertEqual(bare.code, 0, bare.stdout)
                    problems = harness.unaffected(bare, self.run_recorded([program], preloaded))
                    self.assertEqual(problems + harness.compare(self.folder, 1), [])
                    self.assertEqual(self.ask("SELECT value FROM meta WHERE key = 'flavour'"), [("abi",)])

    def test_a_function_that_the_implementation_lacks_is_left_to_it(self):
        source = self.folder / "lacking.c"
        source.write_text(LACKING, encoding="utf-8")
        for name, library in IMPLEMENTATIONS.items():
            with self.subTest(implementation=name):
                self.setUp()
                program = self.linked("lacking", library, source)
                self.assertEqual(harness.run([program], harness.base_environment(), self.folder).stdout, "")
                done = self.run_recorded([program])
                self.assertEqual((done.code, done.stdout), (0, "0 7\n0 7\n"))
                (line,) = done.stderr.splitlines()
                self.assertTrue(line.startswith(f"callsign: MPI_Abi_get_version is not in {library.name}; lacking refers to it weakly"), line)
                self.assertEqual(self.ask("SELECT name, calls FROM function JOIN profile USING (function) ORDER BY 1"), [("MPI_Finalize", 1), ("MPI_Init", 1)])

    def test_an_implementation_that_is_loaded_at_run_time_is_recorded(self):
        for name, library in IMPLEMENTATIONS.items():
            with self.subTest(implementation=name):
                self.setUp()
                done = self.run_recorded([sys.executable, "-c", LOADED, library])
                self.assertEqual((done.code, done.stdout, done.stderr), (0, "[0, 0, 0, 0, 0] False\n", ""))
                self.assertEqual(self.ask("SELECT name, sum(calls) FROM function JOIN profile USING (function) GROUP BY 1 ORDER BY 1"),
                                 [("MPI_Barrier", 3), ("MPI_Finalize", 1), ("MPI_Init", 1)])


if __name__ == "__main__":
    unittest.main()
