"""Functions of callsign's own stand in place of those that the MPI declares, with its prototypes, and of no others."""

import unittest

import support  # noqa: F401  (sets the path)
from gen import emit_emulated, header

HERE = header.parse_prototypes("""\
typedef int MPI_Comm;
typedef int MPI_Request;
typedef int MPI_Info;
typedef int MPI_Win;
int MPI_Comm_set_attr(MPI_Comm comm, int key, void *value);
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *made, MPI_Request *request);
int MPI_Attr_put(MPI_Comm comm, int key, void *value);
int MPI_Keyval_free(int *key);
int MPI_Cart_sub(MPI_Comm comm, int *remain, MPI_Comm *made);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_Win_allocate(long bytes, int unit, MPI_Info info, MPI_Comm comm, void *where, MPI_Win *win);
int MPI_Comm_size(MPI_Comm comm, int *size);
""", "mpi.h")


class Emulated(unittest.TestCase):
    def setUp(self):
        pairs = [(None, prototype) for prototype in HERE.values()]
        self.header, self.source = emit_emulated.header(pairs), emit_emulated.source(pairs)

    def test_each_that_the_mpi_declares_has_its_prototype(self):
        self.assertIn("int cs_fallback_Cart_sub(MPI_Comm comm, int *remain, MPI_Comm *made);", self.header)
        self.assertNotIn("Comm_size", self.header)
        self.assertNotIn("Type_", self.source)

    def test_foreign_keyvals_are_passed_to_the_mpi(self):
        self.assertIn("""\
    if (cs_native.MPI_Comm_set_attr && cs_fallback_is_to_change(key))
        return cs_native.MPI_Comm_set_attr(comm, key, value);
    return cs_fallback_set_attr(CALLSIGN_COMMUNICATOR, CS_KEY(comm), key, cs_value_of_c(value));
""", self.source)
        self.assertIn("return cs_fallback_free_keyval_in_c(CALLSIGN_COMMUNICATOR, key, cs_native.MPI_Keyval_free);", self.source)

    def test_a_refused_copy_gives_null_handles(self):
        self.assertIn("        *made = MPI_COMM_NULL;\n        *request = MPI_REQUEST_NULL;\n        return result;\n", self.source)

    def test_what_is_written_by_hand_is_only_declared(self):
        self.assertIn("int cs_fallback_Comm_free(MPI_Comm *comm);", self.header)
        self.assertNotIn("int cs_fallback_Comm_free(", self.source)
        self.assertIn(".own = (void *)cs_fallback_Comm_free}", self.source)

    def test_a_routine_of_mpi_1_gives_way_to_its_successor(self):
        self.assertIn("    return cs_fallback_Comm_set_attr(comm, key, value);\n", self.source)
        self.assertIn(".newer = (void **)&cs_next.MPI_Comm_set_attr}", self.source)

    def test_the_memory_of_a_window_is_kept(self):
        self.assertIn("""\
    int result = cs_native.MPI_Win_allocate(bytes, unit, info, comm, where, win);
    if (result == MPI_SUCCESS)
        cs_fallback_keep_window(*win, MPI_WIN_FLAVOR_ALLOCATE, *(void **)where, bytes, unit);
    return result;
""", self.source)

    def test_handles_are_converted_for_fortran(self):
        self.assertIn("""\
static void fortran_Comm_idup(MPI_Fint *comm, MPI_Fint *made, MPI_Fint *request, MPI_Fint *cs_ierror)
{
    MPI_Comm in_c_made = MPI_COMM_NULL;
    MPI_Request in_c_request = MPI_REQUEST_NULL;
    *cs_ierror = cs_fallback_Comm_idup(cs_mpi_Comm_f2c(*comm), &in_c_made, &in_c_request);
    *made = cs_mpi_Comm_c2f(in_c_made);
    *request = cs_mpi_Request_c2f(in_c_request);
}
""", self.source)
        self.assertIn('.name = "mpi_comm_free"', self.source)
        self.assertNotIn('"mpi_comm_set_attr"', self.source)

    def test_a_failed_free_leaves_the_handle_in_fortran(self):
        self.assertIn("    if (*cs_ierror == MPI_SUCCESS)\n        *comm = cs_mpi_Comm_c2f(in_c_comm);\n", self.source)


if __name__ == "__main__":
    unittest.main()
