"""Everything that must stop the build, and what it says."""

import unittest

import support
from gen import check, header, library, passed_on, spec
from gen.problem import Collector, Problems


def parse_problems(*lines):
    problems = Collector()
    found = spec.parse(lines, "gen/spec/test.spec", "test", problems)
    spec.check_unique(found, problems)
    return problems.lines


def use_problems(line, prototypes=None):
    problems = Collector()
    (function,) = support.functions(line)
    check.check_function(function, (prototypes or support.prototypes())[function.name], problems)
    return problems.lines


class SpecFile(unittest.TestCase):
    def test_a_good_line_and_comments_pass(self):
        self.assertEqual(parse_problems("# comment", "", "1 MPI_Send point-to-point comm:6 peer:4,5 # why"), [])

    def test_a_line_with_too_few_columns_is_refused(self):
        found = parse_problems("", "1 MPI_Send")
        self.assertEqual(found, ["gen/spec/test.spec:2: expected `number name(parameters) class roles...` or `number name = name`"])

    def test_a_number_out_of_range_is_refused(self):
        for number in ("0", "65536", "x1", "-1"):
            self.assertIn(f"{number} is not a number from 1 to 65535", parse_problems(f"{number} MPI_Send io")[0])

    def test_a_name_that_is_no_function_is_refused(self):
        self.assertIn("PMPI_Send is not the name of an MPI function", parse_problems("1 PMPI_Send io")[0])

    def test_an_unknown_class_is_refused(self):
        self.assertIn("MPI_Send: unknown class pointless", parse_problems("1 MPI_Send pointless")[0])

    def test_a_malformed_role_is_refused(self):
        for word in ("comm:0", "comm:", "comm:1,", "comm:-", "Comm:1", "comm=1"):
            self.assertIn(f"MPI_Send: {word} is not", parse_problems(f"1 MPI_Send io {word}")[0])

    def test_a_parameter_that_the_function_does_not_have_is_refused(self):
        self.assertEqual(parse_problems("1 MPI_Barrier(comm) collective comm:com"), ["gen/spec/test.spec:1: MPI_Barrier: comm:com: it has no parameter com"])

    def test_another_name_of_a_function_that_is_not_there_is_refused(self):
        problems = Collector()
        spec.resolve_aliases(support.functions("1 MPIX_Barrier_init = MPI_Barrier_init"), problems)
        self.assertEqual(problems.lines, ["gen/spec/test.spec:1: MPIX_Barrier_init: there is no function MPI_Barrier_init"])

    def test_a_malformed_lineage_is_refused(self):
        for word in ("lineage:dup", "lineage:dup,nobody", "lineage:Dup,whole", "lineage:2,whole"):
            self.assertIn(f"MPI_Send: {word} is not `lineage:verb,whole|parts|", parse_problems(f"1 MPI_Send io {word}")[0])

    def test_a_number_given_twice_names_both_lines(self):
        found = parse_problems("7 MPI_Send io", "7 MPI_Recv io")
        self.assertEqual(found, ["gen/spec/test.spec:2: number 7 is already taken by MPI_Send at gen/spec/test.spec:1"])

    def test_a_name_given_twice_names_both_lines(self):
        found = parse_problems("7 MPI_Send io", "8 MPI_Send io")
        where = "gen/spec/test.spec:2: "
        self.assertEqual(found, [where + "name MPI_Send is already taken by MPI_Send at gen/spec/test.spec:1"])

    def test_all_problems_are_shown_at_once(self):
        self.assertEqual(len(parse_problems("0 MPI_Send io", "8 Send io", "9 MPI_Recv nothing")), 3)


class Roles(unittest.TestCase):
    def refused(self, line, *parts):
        found = use_problems(line)
        self.assertTrue(found, f"{line}: accepted")
        for part in parts:
            self.assertIn(part, found[0])

    def test_an_unknown_role_names_the_line(self):
        self.refused("1 MPI_Barrier collective comm:1 com:1", "gen/spec/test.spec:1: MPI_Barrier: unknown role com")

    def test_a_prototype_with_more_or_fewer_parameters_is_refused(self):
        self.refused("1 MPI_Barrier(comm, when) collective comm", "MPI_Barrier has 2 parameters, but its prototype has 1 (fixture.h:")

    def test_an_unknown_role_is_found_without_any_mpi(self):
        with self.assertRaises(Problems) as raised:
            check.check_roles(support.functions("1 MPI_Never_seen io com:1"))
        self.assertIn("MPI_Never_seen: unknown role com", raised.exception.lines[0])

    def test_what_has_a_name_from_its_lineage_says_which(self):
        for line, problem in (
            ("1 MPI_Comm_new communicator comm:1 makes-comm:2", "makes-comm without lineage:verb,participants"),
            ("1 MPI_Odd communicator comm:1 lineage:dup,whole", "lineage:dup,whole, but it has none of the roles makes-comm, "),
        ):
            with self.assertRaises(Problems) as raised:
                check.check_roles(support.functions(line))
            self.assertIn(problem, raised.exception.lines[0])
        check.check_roles(support.functions("1 MPI_Comm_new communicator comm:1 makes-comm:2 lineage:dup,whole"))

    def test_a_wrong_number_of_positions_says_what_is_wanted(self):
        self.refused("1 MPI_Send io comm:6 sent:2,3", "role sent takes 3 positions (count, MPI_Datatype, rank), not 2")
        self.refused("1 MPI_Send io comm:6 peer", "role peer takes 1 to 2 positions (rank, tag), not 0")

    def test_a_position_beyond_the_last_parameter_is_refused(self):
        self.refused("1 MPI_Barrier collective comm:2", "comm:2: position 2 is beyond the last parameter, 1 (fixture.h:")

    def test_a_parameter_of_another_type_is_refused(self):
        self.refused("1 MPI_Send io comm:1", "parameter 1 is void *, but MPI_Comm must be MPI_Comm (fixture.h:")
        self.refused("1 MPI_Send io comm:6 peer:3", "parameter 3 is MPI_Datatype, but rank must be int")
        self.refused("1 MPI_Gatherv io comm:9 gatherv:1,2,3,2,7,8", "array of counts must be int * or MPI_Count *")

    def test_a_handle_that_no_role_speaks_of_is_refused(self):
        self.refused("1 MPI_Comm_idup communicator comm:1 request:3", "parameter 2 is MPI_Comm *: say what")
        self.refused("1 MPI_Comm_idup communicator comm:1 makes-comm:2", "parameter 3 is MPI_Request *: say what")
        self.refused("1 MPI_Comm_idup communicator makes-comm:2 request:3", "parameter 1 is MPI_Comm: say whether")

    def test_a_handle_of_any_kind_must_have_a_role(self):
        for kind in ("MPI_Group", "MPI_Op", "MPI_Errhandler", "MPI_Info", "MPI_Session", "MPIX_Grequest_class", "MPI_T_pvar_handle"):
            prototypes = support.prototypes(f"typedef int {kind}; int MPI_Odd(int n, {kind} *made);")
            self.assertIn(f"parameter 2 is {kind} *: say what", use_problems("1 MPI_Odd environment", prototypes)[0])
            self.assertEqual(use_problems("1 MPI_Odd environment makes:2", prototypes), [])
            self.assertIn("handle * must be", use_problems("1 MPI_Odd environment makes:1", prototypes)[0])

    def test_what_happens_to_requests_needs_the_list_of_them(self):
        self.refused("1 MPI_Request_free request ignores:1 frees-request", "its requests are not known")

    def test_a_handle_can_be_ignored_on_purpose(self):
        self.assertEqual(use_problems("1 MPI_Comm_idup communicator ignores:1 ignores:2 ignores:3"), [])

    def test_success_of_a_function_that_returns_no_code_is_not_known(self):
        prototypes = support.prototypes("typedef int MPI_Comm; double MPI_Odd(MPI_Comm *comm);")
        self.assertIn("the function returns double", use_problems("1 MPI_Odd environment makes-comm:1", prototypes)[0])

    def test_a_manual_function_has_no_other_roles(self):
        self.refused("1 MPI_Barrier collective manual comm:1", "a manual function has no other roles")

    def test_a_variadic_function_must_be_manual(self):
        self.refused("1 MPI_Pcontrol environment", "make it manual")
        self.assertEqual(use_problems("1 MPI_Pcontrol environment manual"), [])


class Completeness(unittest.TestCase):
    LINE = "1 MPI_Barrier collective comm:1"
    HEADER = "typedef int MPI_Comm; int MPI_Barrier(MPI_Comm comm);"

    PAIR = ("MPI_Barrier", "PMPI_Barrier")

    def problems(self, line, text, *exported):
        try:
            check.check(support.functions(line), support.prototypes(text), support.symbols(*exported))
        except Problems as problems:
            return problems.lines
        return []

    def test_complete_is_complete(self):
        self.assertEqual(self.problems(self.LINE, self.HEADER, *self.PAIR), [])

    def test_an_exported_function_without_spec_line_is_refused(self):
        found = self.problems(self.LINE, self.HEADER, *self.PAIR, "MPIX_New", "PMPIX_New")
        self.assertEqual(found, ["MPIX_New: exported by the library, but gen/spec has no line for it: add one, "
                                 "or add its reason to gen/library.py", passed_on.HINT])

    def test_a_declared_function_without_spec_line_is_refused(self):
        found = self.problems(self.LINE, self.HEADER + " int MPI_New(void);", *self.PAIR)
        self.assertEqual(found, ["MPI_New: declared at fixture.h:1, but gen/spec has no line for it: add one", passed_on.HINT])

    def test_an_exported_function_that_is_not_declared_is_refused(self):
        found = self.problems(self.LINE, "typedef int MPI_Comm;", *self.PAIR)
        self.assertEqual(found, ["MPI_Barrier: exported by the library, but its header does not declare it: "
                                 "it cannot be wrapped", passed_on.HINT])

    def test_a_function_without_pmpi_name_is_refused_unless_known(self):
        self.assertIn("the library has no PMPI_Barrier", self.problems(self.LINE, self.HEADER, "MPI_Barrier", "PMPI_Send")[0])
        line = "1 MPIX_Query_cuda_support environment"
        self.assertEqual(self.problems(line, "int MPIX_Query_cuda_support(void);", "MPIX_Query_cuda_support"), [])

    def test_a_spec_line_that_this_mpi_lacks_is_fine_and_not_wrapped(self):
        functions = support.functions(self.LINE, "2 MPI_Newer io comm:1")
        prototypes = support.prototypes(self.HEADER)
        symbols = support.symbols(*self.PAIR)
        check.check(functions, prototypes, symbols)
        self.assertEqual([each.name for each in check.wrapped(functions, prototypes, symbols)], ["MPI_Barrier"])

    def test_a_function_that_is_declared_but_not_exported_is_not_wrapped(self):
        functions = support.functions(self.LINE)
        self.assertEqual(check.wrapped(functions, support.prototypes(self.HEADER), support.symbols()), [])

    def test_a_function_that_nobody_wrote_by_hand_is_found_in_the_finished_library(self):
        with self.assertRaises(Problems) as raised:
            check.check_built(support.symbols("MPI_Barrier"), support.symbols(*self.PAIR, "MPI_Init", "PMPI_Init"))
        self.assertEqual(raised.exception.lines, ["MPI_Init: the finished library does not define it: "
                                                  "a manual function needs its wrapper in wrappers/"])


class Symbols(unittest.TestCase):
    def test_only_functions_of_the_interface_count(self):
        symbols = library.parse_symbols("""
0000000000001000 W MPI_Send
0000000000001000 T PMPI_Send@@VERSION_1
0000000000002000 D MPI_UNWEIGHTED
0000000000003000 T MPI_COMM_DUP_FN
0000000000003000 T MPI_WTIME_F90
0000000000003000 T MPIR_Dup_fn
0000000000003000 T QMPI_Get_function
0000000000003000 T MPI_T_init_thread
                 U MPI_Recv
""")
        self.assertEqual(symbols.functions, {"MPI_Send", "MPI_T_init_thread"})
        self.assertEqual(symbols.pmpi, {"PMPI_Send"})

    def test_a_missing_library_is_named(self):
        with self.assertRaises(Problems) as raised:
            library.symbols_of("/nowhere/libmpi.so", support.NM)
        self.assertIn("/nowhere/libmpi.so: ", raised.exception.lines[0])


class Header(unittest.TestCase):
    def test_a_missing_header_is_named(self):
        with self.assertRaises(Problems) as raised:
            header.read_prototypes(support.COMPILER, ["/nowhere"])
        self.assertIn("mpi.h: the preprocessor failed", raised.exception.lines[0])

    def test_a_header_that_is_no_c_is_refused(self):
        with self.assertRaises(Problems) as raised:
            header.parse_prototypes("int MPI_Send(;", "mpi.h")
        self.assertIn("mpi.h: pycparser does not understand this header", raised.exception.lines[0])

    def test_types_are_seen_as_roles_need_them(self):
        parameters = {each.name: each for each in support.prototypes()["MPI_Gatherv"].parameters}
        self.assertEqual(str(parameters["recvcounts"].type), "int *")
        self.assertTrue(parameters["recvcounts"].constant)
        self.assertFalse(parameters["recvbuf"].constant)
        self.assertEqual(str(parameters["comm"].type), "MPI_Comm")

    def test_a_parameter_without_name_gets_one(self):
        (parameter,) = support.prototypes()["MPI_Comm_f2c"].parameters
        self.assertEqual(parameter.text, "MPI_Fint argument1")


if __name__ == "__main__":
    unittest.main()
