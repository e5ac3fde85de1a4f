"""Compilers of Fortran spell names differently. The generated entry points are compiled with hooks that do nothing, linked with a library
that is spelled one way, and called: what is passed must arrive in that library."""

import os
import sys
import tempfile
import unittest

import support

SPEC = """\
1000 MPI_Send point-to-point ignores:6
1016 MPI_Comm_set_name communicator ignores:1
"""
HEADER = """\
#define MPI_SUCCESS 0
typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Fint;
typedef long MPI_Aint;
int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPI_Comm_set_name(MPI_Comm comm, const char *name);
"""
MPI = "".join(f"int {name}(void) {{ return 0; }}" for name in ("MPI_Send", "PMPI_Send", "MPI_Comm_set_name", "PMPI_Comm_set_name"))
HOOKS = """\
#include "fortran_next.h"
#include <dlfcn.h>
#define CS_EXPORT
struct cs_call { int function; };
static inline int cs_enter_fortran(struct cs_call *call, int function, const void *site) { return call->function = function + !site; }
static inline void cs_start(struct cs_call *call) { (void)call; }
static inline void cs_stop(struct cs_call *call) { (void)call; }
static inline void cs_leave(struct cs_call *call) { (void)call; }
static inline void cs_leave_alone(struct cs_call *call) { (void)call; }
static inline int cs_fortran_integer(const void *value) { return *(const int *)value; }
static inline void cs_note_failure(struct cs_call *call, int result) { (void)call, (void)result; }
static inline void *cs_fortran_native(int number) { return dlsym(RTLD_DEFAULT, cs_fortran_entries[number].pmpi_name); }
"""
# A string of 5,000,000,000 characters: its length is passed as size_t.
FORTRAN_MPI = """\
#include <stddef.h>
#include <stdlib.h>
void {send}(void) {{ abort(); }}
void {name}(void) {{ abort(); }}
void {psend}(char *buf, int *count, int *type, int *dest, int *tag, int *comm, int *error)
{{
    *error = *buf == 'x' && *count == 1 && *type == 2 && *dest == 3 && *tag == 4 && *comm == 5 ? 11 : 1;
}}
void {pname}(int *comm, char *name, int *error, size_t length)
{{
    *error = *comm == 5 && *name == 'n' && length == 5000000000u ? 22 : 2;
}}
"""
PROGRAM = """\
#include <stddef.h>
void {send}(void *buf, int *count, int *type, int *dest, int *tag, int *comm, int *error);
void {name}(int *comm, const char *name, int *error, size_t length);
int main(void)
{{
    int count = 1, type = 2, dest = 3, tag = 4, comm = 5, sent = 0, named = 0;
    {send}("x", &count, &type, &dest, &tag, &comm, &sent);
    {name}(&comm, "n", &named, 5000000000u);
    return sent == 11 && named == 22 ? 0 : 1;
}}
"""
SPELLINGS = {"one_underscore": "{}_", "no_underscore": "{}", "two_underscores": "{}__", "upper_case": "{}"}


class Spellings(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        files = {"spec/one.spec": SPEC, "mpi.h": HEADER, "mpi.c": MPI, "wrappers/fortran/fortran.h": HOOKS, "wrappers/roles.h": ""}
        for name, text in files.items():
            self.write(name, text)
        self.compile("-shared", "-fPIC", "-o", "libmpi.so", "mpi.c")

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def compile(self, *words):
        run = support.bounded.run([support.COMPILER, *words], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)

    def gen(self, *options):
        command = [sys.executable, "-B", "-m", "gen", "--spec", self.path("spec"), "--out", self.path("out"), *options]
        run = support.bounded.run(command, cwd=support.ROOT, capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def arrives(self, spelling, upper):
        plain = {key: spelling.format(text) for key, text in
                 {"send": "mpi_send", "name": "mpi_comm_set_name", "psend": "pmpi_send", "pname": "pmpi_comm_set_name"}.items()}
        names = {key: text.upper() if upper else text for key, text in plain.items()}
        self.write("fortran.c", FORTRAN_MPI.format(**names))
        self.write("program.c", PROGRAM.format(**names))
        self.compile("-shared", "-fPIC", "-o", "libfortran.so", "fortran.c")
        self.gen("--common")
        said = self.gen("--flavour", "tiny", "--cc", support.COMPILER, "--nm", support.NM, "--include", self.folder,
                        "--library", self.path("libmpi.so"), "--fortran", self.path("libfortran.so"))
        self.assertEqual(said, "callsign: tiny: 2 functions wrapped, 2 Fortran entry points\n")
        self.compile("-D_GNU_SOURCE", "-Iout", "-I.", "-o", "program", "program.c", "out/fortran_one.c", "out/fortran_next.c",
                     "-Wl,--no-as-needed", "./libfortran.so", "-ldl")
        run = support.bounded.run([self.path("program")], cwd=self.folder, check=False)
        self.assertEqual(run.returncode, 0)

    def test_what_is_passed_arrives_whatever_the_spelling(self):
        for what, spelling in SPELLINGS.items():
            with self.subTest(what):
                self.arrives(spelling, what == "upper_case")


if __name__ == "__main__":
    unittest.main()
