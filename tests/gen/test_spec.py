"""The spec itself: numbers that never change, and the MPIs at hand."""

import glob
import os
import re
import unittest

import support
from gen import argument_checks, check, header, library, roles, spec


class Spec(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.functions = spec.read_folder(support.SPEC_FOLDER)

    def test_every_file_parses_and_every_role_is_known(self):
        check.check_roles(self.functions)
        self.assertGreaterEqual(len(self.functions), 678)

    def test_numbers_that_traces_have_seen_never_change(self):
        now = {function.name: function.number for function in self.functions}
        with open(os.path.join(support.HERE, "numbers.txt"), encoding="utf-8") as file:
            for line in file:
                number, name = line.split()
                self.assertEqual(now.get(name), int(number), name)

    def test_a_large_count_form_follows_the_other(self):
        now = {function.name: function for function in self.functions}
        for function in self.functions:
            other = now.get(function.name.removesuffix("_c")) if function.name.endswith("_c") else None
            with self.subTest(function=function.name):
                if other:
                    self.assertEqual((function.number, function.klass), (other.number + 1, other.klass))
                    self.assertEqual([use.role for use in function.uses], [use.role for use in other.uses])
                    self.assertEqual(function.lineage, other.lineage)
                else:
                    self.assertEqual(function.number % 2, 0)

    def test_a_chapter_keeps_to_its_thousand(self):
        thousands = {}
        for function in self.functions:
            thousands.setdefault(function.chapter, set()).add(function.number // 1000)
        for chapter, seen in thousands.items():
            self.assertEqual(len(seen), 1, chapter)
        self.assertEqual(len({min(seen) for seen in thousands.values()}), len(thousands))

    def test_parameters_are_named(self):
        for function in self.functions:
            for use in function.uses:
                self.assertNotRegex(use.word, r"[:,][0-9]", f"{function.where}: {function.name}")

    def test_a_line_says_what_its_large_count_form_and_other_names_are(self):
        large, alias = support.read_lines(
            "6002 MPI_Bcast_init[_c](buffer, count, datatype, root, comm, info, request)",
            "      collective  comm peer:root bcast:count,datatype,root persistent:request collective:from-root",
            "25002 MPIX_Bcast_init = MPI_Bcast_init",
        )[1:]
        self.assertEqual((large.number, large.name, alias.number, alias.name), (6003, "MPI_Bcast_init_c", 25002, "MPIX_Bcast_init"))
        self.assertEqual((large.uses, large.collective), (alias.uses, alias.collective))
        self.assertEqual([use.positions for use in large.uses], [(5,), (4,), (2, 3, 4), (7,)])
        self.assertEqual((large.root, large.op, large.datatype), (4, 0, 3))

    def test_properties_follow_from_the_roles(self):
        now = {function.name: function for function in self.functions}
        for name, transfer, mode in (
            ("MPI_Send", "send", "blocking"), ("MPI_Irecv", "receive", "nonblocking"), ("MPI_Sendrecv", "both", "blocking"),
            ("MPI_Bcast_init", "both", "persistent"), ("MPI_Startall", "", "start"), ("MPI_Iprobe", "receive", ""), ("MPI_Barrier", "", "blocking"),
            ("MPI_Put", "send", ""), ("MPI_Rget_accumulate", "both", "nonblocking"), ("MPI_File_iread", "receive", "nonblocking"),
        ):
            with self.subTest(function=name):
                self.assertEqual((now[name].transfer, now[name].mode), (transfer, mode))
        self.assertEqual({name: function.epoch_act for name, function in now.items() if function.epoch_act},
                         {"MPI_Win_post": "post", "MPI_Win_complete": "complete", "MPI_Win_lock": "lock", "MPI_Win_unlock": "unlock",
                          "MPI_Win_lock_all": "lock_all", "MPI_Win_unlock_all": "unlock_all"})
        acts = {act: sorted(name[4:] for name, function in now.items() if function.request_act == act and not function.form_of) for act in spec.REQUEST_ACTS}
        self.assertEqual(acts, {"complete-one": ["Test", "Wait"], "complete-all": ["Testall", "Waitall"], "complete-any": ["Testany", "Waitany"],
                                "complete-some": ["Testsome", "Waitsome"],
                                "cancel": ["Cancel"], "show": ["Request_get_status", "Request_get_status_all", "Request_get_status_any", "Request_get_status_some"]})
        for name in ("MPI_Finalized", "MPI_Initialized", "MPI_Get_version", "MPI_Get_library_version", "MPI_Info_create", "MPI_Info_get", "MPI_Error_string",
                     "MPI_Errhandler_free", "MPI_Session_init", "MPI_T_init_thread", "MPI_Comm_c2f", "MPI_Wtime", "MPI_Pcontrol"):
            self.assertFalse(now[name].needs_mpi, name)  # MPI 4.1, 11.4.1
        for name in ("MPI_Comm_rank", "MPI_Barrier", "MPI_Type_free", "MPI_Comm_get_attr", "MPI_Comm_set_name", "MPI_Wait", "MPI_File_close", "MPI_Win_free"):
            self.assertTrue(now[name].needs_mpi, name)
        self.assertEqual([name for name, function in now.items() if function.synchronous and not function.form_of],
                         ["MPI_Ssend", "MPI_Issend", "MPI_Ssend_init"])
        self.assertEqual([name for name, function in now.items() if function.duplicates],
                         ["MPI_Comm_dup", "MPI_Comm_dup_with_info", "MPI_Comm_idup", "MPI_Comm_idup_with_info", "MPI_Type_dup"])
        self.assertEqual((now["MPI_Comm_split"].verb, now["MPI_Win_create"].verb, now["MPI_Send"].verb), ("split", "win", ""))

    def test_a_synchronizing_function_waits_for_all_members(self):
        synchronizing = [function for function in self.functions if function.synchronizing]
        self.assertEqual(len(synchronizing), 43)
        self.assertEqual({(function.collective, function.wait) for function in synchronizing}, {("all", "collective")})

    def test_local_checks_follow_from_parameters_and_roles(self):
        now = {function.name: [str(use) for use in argument_checks.checks(function)] for function in self.functions}
        self.assertEqual(now["MPI_Send"], ["checks-rank:dest", "checks-tag:tag,dest", "sends-to:buf,count,datatype,dest"])
        self.assertEqual(now["MPI_Gather"], ["checks-root:root", "checks-in-place-at-root:sendbuf,root", "checks-never-in-place-at-root:recvbuf,root", "reads:sendbuf,sendcount,sendtype", "writes-blocks-at-root:recvbuf,recvcount,recvtype,root"])
        self.assertEqual(now["MPI_Win_unlock"], ["checks-rank:rank", "checks-window-memory:", "checks-unlock:", "continues-by-completion:", "ends-accesses:", "notes-unlock:"])
        self.assertEqual(now["MPI_Neighbor_alltoall"],  # a process may have no neighbours
                         ["needs-topology:", "checks-never-in-place:sendbuf", "checks-never-in-place:recvbuf"])
        self.assertEqual((now["MPI_Scan"][0], now["MPI_Cart_create"][0], now["MPI_Comm_remote_size"]), ("needs-intra:", "needs-intra:", ["needs-inter"]))
        self.assertEqual((now["MPI_Comm_dup_with_info"], now["MPI_Info_set"]), (["checks-handle-or-null:info", "checks-output:newcomm"], ["checks-handle:info"]))
        self.assertEqual((now["MPI_Start"], now["MPI_Wait"], now["MPI_Test"]), (["checks-started-requests:"], ["checks-awaited-requests:", "checks-status:status"], ["checks-output:flag", "checks-status:status"]))
        self.assertEqual(now["MPI_Type_vector"], ["checks-handle:oldtype", "checks-output:newtype", "checks-count:count", "checks-size:blocklength"])
        self.assertEqual(now["MPI_File_read"], ["checks-status:status", "writes-here:buf,count,datatype"])
        self.assertEqual(now["MPI_Group_union"], ["checks-handle:group1", "checks-handle:group2", "checks-output:newgroup"])
        self.assertEqual((now["MPI_Comm_rank"], now["MPI_Comm_size"], now["MPI_Comm_free"]), ([], [], []))  # a branch would cost something

    def test_every_role_of_the_table_is_declared_for_the_wrappers_and_used(self):
        declared = set()
        for path in glob.glob(os.path.join(support.ROOT, "wrappers", "**", "*.h"), recursive=True):
            with open(path, encoding="utf-8") as file:
                declared |= set(re.findall(r"\bcs_[a-z_]+(?=\()", file.read()))
        used = {use.role for function in self.functions for use in (*function.uses, *argument_checks.checks(function))}
        for role in roles.ROLES.values():
            with self.subTest(role=role.name):
                self.assertIn(role.name, used)
                if role.function:
                    self.assertIn(role.function, declared)


class Installed(unittest.TestCase):
    """Counts are printed, so that a log says what was wrapped."""

    def test_every_function_of_the_mpis_at_hand_is_wrapped(self):
        functions = spec.read_folder(support.SPEC_FOLDER)
        flavours = list(support.flavours())
        if not flavours:
            self.skipTest("CALLSIGN_TEST_FLAVOURS is not set: no MPI to look at")
        for name, path, includes in flavours:
            with self.subTest(flavour=name):
                prototypes = header.read_prototypes(support.COMPILER, includes)
                symbols = library.symbols_of(path, support.NM) if path else library.symbols_declared(prototypes)
                check.check(functions, prototypes, symbols)
                self.check_names(functions, prototypes)
                wrapped = check.wrapped(functions, prototypes, symbols)
                self.assertEqual({function.name for function in wrapped}, symbols.functions)
                by_hand = sum(function.manual for function in wrapped)
                print(f"\n{name}: {len(wrapped)} functions wrapped, {by_hand} of them by hand")

    def check_names(self, functions, prototypes):
        """A parameter that has the standard's name is where the standard has it."""
        for function in functions:
            if function.parameters and function.name in prototypes:
                for position, parameter in enumerate(prototypes[function.name].parameters):
                    if parameter.name in function.parameters:
                        self.assertEqual(function.parameters.index(parameter.name), position, f"{function.name}: {parameter.name}")

    def test_the_build_passed_on_nothing_of_the_mpis_at_hand(self):
        paths = os.environ.get("CALLSIGN_TEST_PASSED_ON", "").split()
        if not paths:
            self.skipTest("CALLSIGN_TEST_PASSED_ON is not set: no build to look at")
        for path in paths:
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), "", path)


if __name__ == "__main__":
    unittest.main()
