"""The build finds by compiling what an mpi.h lacks; stand-ins and answers replace it, and nothing is declared twice."""

import os
import tempfile
import unittest

import support
from gen import emit_pmpi_queries, emit_standard, header, probe, standard
from gen.problem import Problems

# A small MPI that has some things in unusual ways, and one attribute function.
SMALL = """\
typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Group;
typedef int MPI_Request;
typedef int MPI_Op;
typedef struct { int MPI_SOURCE, MPI_TAG, MPI_ERROR; } MPI_Status;
#define MPI_COMM_NULL 0
#define MPI_DATATYPE_NULL 0
#define MPI_SUCCESS 0
#define MPI_UNDEFINED (-1)
#define MPI_PROC_NULL (-2)
#define MPI_ERR_OTHER 1
enum { MPI_KEYVAL_INVALID = 77 };
extern const int MPI_TAG_UB;
#define MPI_IO nothing_that_is_declared
int MPI_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *found);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Comm_size_is_a_macro(MPI_Comm comm);
#define MPI_Comm_c2f(comm) (comm)
"""


class Small(unittest.TestCase):
    """The headers that are made for it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.write("mpi.h", SMALL)
        self.macros = header.macro_names(support.COMPILER, [self.folder])
        self.lack = emit_standard.Lacking(support.COMPILER, [self.folder], self.macros)
        self.table = emit_pmpi_queries.Table({"MPI_Comm_get_attr", "MPI_Comm_size"}, self.macros)
        os.mkdir(os.path.join(self.folder, "callsign"))
        self.write("callsign/names_small.h", emit_standard.names(self.lack))
        self.write("whole_mpi.h", emit_standard.whole(self.lack, "small"))
        self.write("pmpi_queries.h", emit_pmpi_queries.header(self.table))
        self.write("pmpi_queries.c", emit_pmpi_queries.source(self.table))

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def compile(self, name):
        options = ["-std=c11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I" + self.folder, "-I" + support.ROOT]
        run = support.bounded.run([support.COMPILER, *options, os.path.join(self.folder, name)], capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_what_is_there_as_a_macro_an_enumerator_or_a_variable_is_not_lacking(self):
        lacking = {each.name for each in self.lack.public + self.lack.private}
        self.assertFalse(lacking & {"MPI_KEYVAL_INVALID", "MPI_TAG_UB", "MPI_Comm_get_attr", "MPI_COMM_NULL"})
        self.assertLessEqual({"MPI_MAX_OBJECT_NAME", "MPI_Comm_set_attr", "MPI_Comm_copy_attr_function", "MPI_Win", "MPI_Count"}, lacking)

    def test_a_macro_that_leads_nowhere_is_lacking(self):
        self.assertIn("MPI_IO", {each.name for each in self.lack.public})

    def test_without_windows_programs_are_offered_nothing_for_them(self):
        self.assertEqual([each.name for each in self.lack.public if each.is_about_windows], [])
        self.assertIn("MPI_WIN_BASE", {each.name for each in self.lack.private})

    def test_programs_are_offered_the_functions_with_their_prototypes(self):
        prototypes = self.lack.prototypes()
        self.assertEqual(prototypes["MPI_Comm_set_name"].parameters[1].text, "const char *comm_name")
        self.assertNotIn("MPI_Comm_get_attr", prototypes)
        self.assertNotIn("MPI_Win_set_name", prototypes)

    def test_mpi_h_and_what_it_lacks_compile_together_and_answers_do(self):
        self.compile("pmpi_queries.c")

    def test_afterwards_nothing_is_lacking(self):
        self.write("all.c", '#include "whole_mpi.h"\n' + "".join(each.use + "\n" for each in self.lack.public + self.lack.private))
        self.compile("all.c")

    def test_a_function_that_is_only_a_macro_has_no_pointer(self):
        text = emit_pmpi_queries.header(self.table)
        self.assertIn("static inline MPI_Fint cs_mpi_Comm_c2f(MPI_Comm comm)\n{\n    return MPI_Comm_c2f(comm);\n}", text)
        self.assertNotIn("(*Comm_c2f)", text)

    def test_a_function_with_other_arguments_is_refused(self):
        with self.assertRaisesRegex(Problems, "MPI_Comm_size: declared at .* with other arguments"):
            self.table.check(support.prototypes("typedef int MPI_Comm; int MPI_Comm_size(MPI_Comm comm);"))

    def test_a_header_that_does_not_compile_at_all_is_a_problem(self):
        self.write("mpi.h", "#error no\n")
        with self.assertRaises(Problems):
            probe.lacking(support.COMPILER, [self.folder], standard.declarations("names.h"))


class AtHand(unittest.TestCase):
    def test_the_mpis_at_hand_lack_nothing_of_names_and_attributes(self):
        for name, _, includes in support.flavours():
            lack = emit_standard.Lacking(support.COMPILER, includes, header.macro_names(support.COMPILER, includes))
            self.assertEqual([each.name for each in lack.public], [], name)


if __name__ == "__main__":
    unittest.main()
