"""Entry points for Fortran: which there are, and how they read."""

import unittest

import support
from gen import emit_fortran, fortran, library, mpif, passed_on, problem

SEND = "1000 MPI_Send point-to-point comm:6 peer:4,5 sent:2,3,4"
EXPECTED = """\
/* 1000 MPI_Send point-to-point comm:6 peer:4,5 sent:2,3,4 */
CS_EXPORT void mpi_send_(void *buf, void *count, void *datatype, void *dest, void *tag, void *comm, void *cs_ierror)
{
    struct cs_call cs_call;
    MPI_Fint cs_error;

    if (!cs_ierror)
        cs_ierror = &cs_error;
    cs_fortran_7 cs_native = (cs_fortran_7)cs_fortran_native(CS_NATIVE_mpi_send_);
    if (!cs_enter_fortran(&cs_call, CS_MPI_Send, __builtin_return_address(0))) {
        cs_native(buf, count, datatype, dest, tag, comm, cs_ierror);
        return;
    }
    cs_on_comm_fortran(&cs_call, comm);
    cs_on_peer(&cs_call, cs_fortran_integer(dest), cs_fortran_integer(tag));
    cs_start(&cs_call);
    cs_native(buf, count, datatype, dest, tag, comm, cs_ierror);
    cs_stop(&cs_call);
    cs_note_failure(&cs_call, cs_fortran_integer(cs_ierror));
    if (cs_succeeded(&cs_call, cs_fortran_integer(cs_ierror))) {
        cs_adopt(&cs_call);
        cs_bytes_sent(&cs_call, cs_fortran_integer(count), cs_fortran_type(datatype), cs_fortran_integer(dest));
    }
    cs_leave(&cs_call);
}
CS_FORTRAN_ALIAS(mpi_send_, mpi_send__);
CS_FORTRAN_ALIAS(mpi_send_, MPI_SEND);
"""


def entries(line, *exported):
    return fortran.entries(support.functions(line), support.prototypes(), set(exported))


class Entries(unittest.TestCase):
    maxDiff = None

    def test_an_entry_point_and_its_spellings_read_as_written_by_hand(self):
        entry, = entries(SEND, "mpi_send_", "pmpi_send_", "mpi_send__", "MPI_SEND", "mpi_sizeof_r0_", "mpi_dup_fn_", "mpirinitf_")
        self.assertEqual(emit_fortran.entry_point(entry), EXPECTED)

    def test_the_other_name_of_mpi_f08_may_have_another_prefix(self):
        entry, = entries(SEND, "mpi_send_f08ts_", "pmpir_send_f08ts_")
        self.assertEqual((entry.pmpi_name, entry.descriptors), ("pmpir_send_f08ts_", True))

    def test_large_counts_are_told_before_or_behind_the_binding(self):
        lines = ("13016 MPI_Type_odd datatype", "13017 MPI_Type_odd_c datatype")
        prototypes = support.prototypes("int MPI_Type_odd(int n); int MPI_Type_odd_c(long n);")
        exported = {"mpi_type_odd_c_f08_", "mpi_type_odd_f08_c_", "mpi_type_odd_f08_", "mpi_type_odd_"}
        found = {entry.name: entry.function.name for entry in fortran.entries(support.functions(*lines), prototypes, exported)}
        self.assertEqual(found, {"mpi_type_odd_c_f08_": "MPI_Type_odd_c", "mpi_type_odd_f08_c_": "MPI_Type_odd_c",
                                 "mpi_type_odd_f08_": "MPI_Type_odd", "mpi_type_odd_": "MPI_Type_odd"})

    def test_a_later_version_of_the_mpi_may_have_descriptors(self):
        exported = {"mpi_send_", "mpi_send_f08_", "mpi_comm_size_f08_"}
        prototypes = support.prototypes("int MPI_Send(const void *buf, int count); int MPI_Comm_size(int comm, int *size);")
        self.assertEqual(fortran.later(prototypes, exported), {"mpi_send_f08ts_"})
        self.assertEqual(fortran.later(prototypes, exported | {"mpi_recv_f08ts_"}), set())
        self.assertEqual(fortran.later(prototypes, {"mpi_send_"}), set())

    def test_buffers_of_the_module_mpi_may_be_descriptors(self):
        entry, = entries(SEND, "mpi_send_fts_", "pmpi_send_fts_")
        self.assertEqual((entry.function.name, entry.descriptors), ("MPI_Send", True))

    def test_a_name_that_no_compiler_makes_of_a_call_is_no_entry_point(self):
        self.assertEqual(entries(SEND, "MPI_REQUEST_STATUS_GET_ANY", "PMPI_REQUEST_STATUS_GET_ANY"), [])

    def test_without_another_name_it_is_the_next_of_the_same_name(self):
        entry, = entries(SEND, "mpi_send_f08_")
        self.assertEqual(entry.pmpi_name, "mpi_send_f08_")
        text = emit_fortran.source([entry])
        self.assertIn('{"mpi_send_f08_", "mpi_send_f08_", cs_weak_pmpi_send_f08_},', text)
        self.assertIn('extern char cs_weak_pmpi_send_f08_[] __asm__("pmpi_send_f08_") __attribute__((weak));', text)

    def test_what_has_no_function_in_the_spec_or_in_the_header_is_passed_on(self):
        names = {"mpi_send_", "MPI_SEND", "mpi_internal_thing_", "mpi_barrier_", "mpi_init_"}
        functions = support.functions(SEND, "4000 MPI_Barrier collective comm:1", "11000 MPI_Init lifecycle manual")
        prototypes = {name: each for name, each in support.prototypes().items() if name != "MPI_Barrier"}
        passed = passed_on.PassedOn(passed_on.EXTENSIONS)
        self.assertEqual({entry.name for entry in fortran.entries(functions, prototypes, names, passed)}, {"mpi_send_", "mpi_init_"})
        self.assertEqual(passed.reasons, {"mpi_internal_thing_": passed_on.UNKNOWN, "mpi_barrier_": passed_on.UNDECLARED})

    def test_what_a_library_lacks_is_spelled_as_it_spells(self):
        names = ["MPI_Comm_set_name", "MPI_Send"]
        self.assertEqual(fortran.lacking(names, {"mpi_send_", "mpi_recv_"}), {"mpi_comm_set_name_"})
        self.assertEqual(fortran.lacking(names, {"mpi_send", "MPI_RECV"}), {"mpi_comm_set_name"})
        self.assertEqual(fortran.lacking(names, {"MPI_Send", "other_"}), set())

    def test_constants_are_read_from_fixed_and_free_form(self):
        text = """\
! parameter (NOT=1)
c     parameter (NEITHER=1)
      INTEGER MPI_SOURCE, MPI_TAG
      PARAMETER (MPI_SOURCE=1, MPI_TAG = 2)
      parameter (mpi_any_tag=-1, LATER=MPI_TAG)
      integer, parameter :: MPI_STATUS_SIZE = 5 ! words
"""
        self.assertEqual(mpif.parse(text), {"MPI_SOURCE": 1, "MPI_TAG": 2, "MPI_ANY_TAG": -1, "MPI_STATUS_SIZE": 5})

    def test_a_library_that_spells_without_underscore_is_taken_as_it_is(self):
        entry, = entries(SEND, "mpi_send", "pmpi_send")
        self.assertEqual((entry.name, entry.aliases, entry.pmpi_name), ("mpi_send", (), "pmpi_send"))

    def test_an_upper_case_library_is_taken_as_it_is(self):
        entry, = entries(SEND, "MPI_SEND", "PMPI_SEND")
        self.assertEqual((entry.name, entry.pmpi_name), ("MPI_SEND", "PMPI_SEND"))

    def test_details_are_decoded_with_the_lengths_of_their_strings(self):
        line = "21000 MPI_Comm_spawn process comm:6 command-at-root:1,5 info-at-root:4,5 root:5 makes-comm:7"
        entry, = entries(line, "mpi_comm_spawn_", "pmpi_comm_spawn_")
        text = emit_fortran.entry_point(entry)
        condition = "if (cs_at_root(&cs_call, cs_fortran_integer(root)))\n            "
        for detail in (condition + "cs_detail_text_fortran(&cs_call, CS_DETAIL_COMMAND, command, cs_length1);",
                       condition + "cs_detail_info(&cs_call, CS_DETAIL_INFO, cs_fortran_info(info));",
                       "cs_detail_integer(&cs_call, CS_DETAIL_ROOT, cs_fortran_integer(root));"):
            self.assertIn(detail, text)
        self.assertLess(text.index("CS_DETAIL_ROOT"), text.index("cs_made_comm"))

    def test_requests_and_statuses_are_those_of_fortran(self):
        line = "2012 MPI_Testall completion on-requests:1,2 statuses:4 completes-all:3"
        entry, = entries(line, "mpi_testall_", "pmpi_testall_")
        text = emit_fortran.entry_point(entry)
        for part in ("cs_on_requests(&cs_call, &cs_list, cs_fortran_integer(count), cs_requests_fortran(array_of_requests));",
                     "array_of_statuses = cs_statuses_needed(&cs_call, &cs_list, cs_statuses_fortran(array_of_statuses));",
                     "if (cs_fortran_integer(cs_ierror) != MPI_SUCCESS || cs_fortran_integer(flag))\n"
                     "        cs_all_completed(&cs_call, &cs_list, cs_fortran_integer(cs_ierror));"):
            self.assertIn(part, text)
        self.assertLess(text.index("cs_fortran_native("), text.index("cs_statuses_fortran("))

    def test_addresses_of_mpi_1_are_integers(self):
        roles = "count:1 blocklengths:1,2 displacements:1,3 makes-type:5,4"
        old, = entries(f"13054 MPI_Type_hindexed datatype {roles}", "mpi_type_hindexed_", "pmpi_type_hindexed_")
        self.assertIn("cs_integers_int(array_of_displacements)", emit_fortran.entry_point(old))
        new, = entries(f"13008 MPI_Type_create_hindexed datatype {roles}", "mpi_type_create_hindexed_", "pmpi_type_create_hindexed_")
        self.assertIn("cs_integers_address(array_of_displacements)", emit_fortran.entry_point(new))

    def test_functions_of_c_in_a_fortran_library_are_wrapped_around_what_that_library_has(self):
        exported = {"mpi_send_", "MPI_SEND", "MPI_Send_f", "MPI_Send_f08", "MPI_Barrier", "PMPI_Barrier", "MPI_Comm_f2c",
                    "__mpi_f08_types_MOD_mpi_status_f2f08"}
        self.assertEqual(library.c_functions_among(exported).but({"MPI_Comm_f2c"}).functions, {"MPI_Barrier"})
        pair = support.functions("2000 MPI_Barrier collective comm:1")[0], support.prototypes()["MPI_Barrier"]
        text = emit_fortran.chapter_source("test", [], [pair])
        self.assertIn("int cs_result = ((__typeof__(&MPI_Barrier))cs_fortran_native(CS_NATIVE_MPI_Barrier))(comm);", text)
        self.assertIn('{"MPI_Barrier", "PMPI_Barrier", NULL},', emit_fortran.source([], ["MPI_Barrier"]))
        self.assertIn("    CS_NATIVE_MPI_Barrier,\n", emit_fortran.header([], ["MPI_Barrier"]))

    def test_a_type_that_nobody_decodes_stops_the_build(self):
        prototypes = support.prototypes("typedef int MPI_T_cvar_handle; int MPI_Odd(MPI_T_cvar_handle *made);")
        entry, = fortran.entries(support.functions("1 MPI_Odd tool makes:1"), prototypes, {"mpi_odd_", "pmpi_odd_"})
        with self.assertRaises(problem.Problems) as raised:
            emit_fortran.entry_point(entry)
        self.assertIn("MPI_T_cvar_handle: a function of Fortran takes one", raised.exception.lines[0])

    def test_all_problems_are_shown_at_once(self):
        with self.assertRaises(problem.Problems) as raised:
            entries(SEND, "mpi_other_", "pmpi_other_", "mpi_another_")
        self.assertEqual(len(raised.exception.lines), 2)


if __name__ == "__main__":
    unittest.main()
