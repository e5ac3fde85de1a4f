"""One wrapper of every shape, as it must read: golden/*.c, whose first line has the spec line."""

import os
import unittest
import unittest.mock

import support
from gen import arguments, check, emit_next, emit_wrappers, problem, roles

GOLDEN = os.path.join(support.HERE, "golden")


class Wrappers(unittest.TestCase):
    maxDiff = None

    def test_every_shape_reads_as_written_by_hand(self):
        prototypes = support.prototypes()
        shapes = sorted(os.listdir(GOLDEN))
        self.assertGreater(len(shapes), 15)
        for shape in shapes:
            with self.subTest(shape=shape):
                with open(os.path.join(GOLDEN, shape), encoding="utf-8") as file:
                    expected = file.read()
                line = expected.splitlines()[0].removeprefix("/* ").removesuffix(" */")
                (function,) = support.functions(line)
                found = problem.Collector()
                check.check_function(function, prototypes[function.name], found)
                self.assertEqual(found.lines, [])
                self.assertEqual(emit_wrappers.wrapper(function, prototypes[function.name]), expected)

    def test_a_role_that_always_runs_is_told_what_the_call_returned(self):
        prototypes = support.prototypes()
        function, = support.functions("15006 MPI_Comm_get_attr attribute comm:1 asked:1,2 asked-if:2,4")
        asked = roles.Role("asked", "cs_asked", roles.ALWAYS, (arguments.NAMED_OBJECT, arguments.KEYVAL))
        asked_if = roles.Role("asked-if", "cs_asked_if", roles.ALWAYS, (arguments.KEYVAL, arguments.FLAG), condition=2)
        with unittest.mock.patch.dict(roles.ROLES, {role.name: role for role in (asked, asked_if)}):
            wrapper = emit_wrappers.wrapper(function, prototypes[function.name])
        self.assertIn("""\
    cs_stop(&cs_call);
    cs_asked(&cs_call, CALLSIGN_COMMUNICATOR, CS_KEY(comm), comm_keyval, cs_result);
    if (cs_result != MPI_SUCCESS || *flag)
        cs_asked_if(&cs_call, comm_keyval, cs_result);
""", wrapper)

    def test_no_line_is_longer_than_the_style_allows(self):
        prototypes = support.prototypes()
        for prototype in prototypes.values():
            for line in emit_wrappers.signature(prototype) + emit_next.slot(prototype):
                self.assertLessEqual(len(line), 120)


class Next(unittest.TestCase):
    def test_a_slot_has_the_exact_type(self):
        prototypes = support.prototypes()
        slot = {name: " ".join(emit_next.slot(prototype)).split() for name, prototype in prototypes.items()}
        self.assertEqual(slot["MPI_Wtime"], "double (*MPI_Wtime)(void);".split())
        self.assertEqual(slot["MPI_Pcontrol"], "int (*MPI_Pcontrol)(const int level, ...);".split())
        self.assertIn("ranges[][3],", slot["MPI_Group_range_incl"])

    def test_a_function_without_pmpi_name_is_looked_up_by_its_own_name_and_never_points_to_its_wrapper(self):
        function, = support.functions("25100 MPIX_Query_cuda_support environment")
        prototypes = support.prototypes("int MPIX_Query_cuda_support(void);")
        pairs = [(function, prototypes[function.name])]
        without = emit_next.source(pairs, support.symbols("MPIX_Query_cuda_support"))
        name = "MPIX_Query_cuda_support"
        weak = f'extern char cs_weak_P{name}[] __asm__("P{name}") __attribute__((weak));'
        self.assertIn(weak, without)
        self.assertIn(f'{{"{name}", "{name}", (void **)&cs_next.{name},\n     cs_weak_P{name}}},', without)
        self.assertNotIn(f'__asm__("{name}")', without)
        with_pmpi_name = emit_next.source(pairs, support.symbols("MPIX_Query_cuda_support", "PMPIX_Query_cuda_support"))
        self.assertIn(f'{{"{name}", "P{name}", (void **)&cs_next.{name},\n     cs_weak_P{name}}},', with_pmpi_name)

    def test_a_macro_of_the_same_name_is_undefined(self):
        function, = support.functions("4000 MPI_Barrier collective comm:1")
        pairs = [(function, support.prototypes()["MPI_Barrier"])]
        self.assertIn("#undef MPI_Barrier\n", emit_next.header(pairs, {"MPI_Barrier", "MPI_INT"}))
        self.assertNotIn("#undef", emit_next.header(pairs, {"MPI_INT"}))


if __name__ == "__main__":
    unittest.main()
