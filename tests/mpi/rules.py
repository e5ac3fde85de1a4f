"""Naming rules: what they name in real programs, and what `callsign names` says of it. Run for each flavour."""

import os
import pathlib
import shutil
import unittest

import harness

SOURCE = pathlib.Path(__file__).resolve().parent / "programs" / "rules.c"
FORTRAN = SOURCE.parents[2] / "fortran" / "semantics.F90"


def line_of(file, part):
    """The first line of the file in which this stands."""
    return next(number for number, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1) if part in text)


LINE = line_of(SOURCE, "/* at */")
RANKS = 2


def run(np, program, cwd, extra=None):
    """A sanitizer has its own dlopen and descriptors, which the bare program has not."""
    result = harness.mpirun(np, program, extra=extra, cwd=cwd)
    if harness.SANITIZER:
        result.stdout = "".join(line for line in result.stdout.splitlines(True)
                                if not line.startswith(("dlopen:", "next descriptor:")))
    return result


class Rules(unittest.TestCase):
    def setUp(self):
        self.temporary = harness.workspace()
        self.folder = self.temporary.__enter__()
        self.addCleanup(self.temporary.cleanup)

    def record(self, rules, message=None, np=RANKS, program="rules", **settings):
        """Runs the program bare and recorded under these rules, which must be the same."""
        file = self.folder / "names.rules"
        file.write_text(rules, encoding="utf-8")
        bare = run(np, program, self.folder)
        extra = harness.recording(self.folder)
        extra.update(CALLSIGN_NAMES=str(file), **settings)
        self.recorded = run(np, program, self.folder, extra)
        self.assertEqual(bare.code, 0, bare.stderr)
        self.assertEqual(harness.unaffected(bare, self.recorded, message), [])
        self.run_folder = harness.run_folders(self.folder)[0]

    def named(self):
        """[(rank, rule, name, kind)] in order of birth."""
        rows = []
        for path in sorted(harness.databases(self.folder).values()):
            with harness.open_trace(path) as trace:
                rows += trace.execute("SELECT rank, rule, name, kind FROM (SELECT n.rank, n.object, n.rule, n.name, o.kind FROM naming n "
                                      "JOIN object o USING (rank, object) WHERE n.origin = 'rule' ORDER BY 1, 2)").fetchall()
        return rows

    def expect(self, *names, kind="communicator", rule=1, ranks=range(RANKS)):
        self.assertEqual(self.named(), [(rank, rule, name.format(rank=rank), kind) for rank in ranks for name in names])

    def test_library(self):
        self.record('library=rules_grid* -> "grid {n} of {library}"')
        self.expect("grid 1 of rules_grid.so", "grid 2 of rules_grid.so")

    def test_the_program_is_a_library_too(self):
        self.record("library=rules function=MPI_Comm_dup parent=MPI_COMM_WORLD -> {library}")
        self.expect("rules")

    def test_static_function_without_debug_information(self):
        self.record('kind=communicator caller=split -> "{caller} {n}"')
        self.expect("split 1", "split 2")

    def test_function_of_mpi(self):
        self.record("function=MPI_Win_a* -> {function}")
        self.expect("MPI_Win_allocate", kind="window")

    def test_file_and_line(self):
        self.record(f"at=rules.c:{LINE} -> halo\nat=rules.c:{LINE + 2} -> never")
        self.expect("halo")

    def test_file(self):
        self.record("kind=window at=rules.c:* -> \"halo's window\"")
        self.expect("halo's window", kind="window")

    def test_parent_by_the_name_that_the_program_gave(self):
        self.record('parent=col* -> "copy of {parent}"')
        self.expect("copy of columns")

    def test_parent_by_the_name_that_a_rule_gave(self):
        self.record("caller=halo kind=communicator -> outer\nkind=window parent=outer -> inner")
        self.assertEqual([(rule, name) for _, rule, name, _ in self.named()], [(1, "outer"), (2, "inner")] * RANKS)

    def test_datatype(self):
        self.record("kind=datatype caller=type -> triple")
        self.expect("triple", kind="datatype")

    def test_ranks_in_the_parent(self):
        self.record('caller=split -> "{rank} {first}"')
        self.expect("{rank} {rank}", "{rank} {rank}")
        self.assertEqual(len(self.named()), 2 * RANKS)

    def test_color_and_key(self):
        self.record('caller=split -> "{color} {key}"')
        self.assertEqual([name for _, _, name, _ in self.named()], ["10 7", "10 7", "11 7", "11 7"])

    def test_the_first_rule_that_matches_names_and_programs_rename(self):
        self.record("# none\nfunction=MPI_Comm_dup parent=columns -> first\nfunction=MPI_Comm_dup -> second\n"
                    "function=MPI_Comm_split caller=columns -> {n}")
        names = [(rule, name) for rank, rule, name, _ in self.named() if rank == 0]
        self.assertEqual(names, [(3, "second"), (4, "3"), (2, "first")])
        with harness.open_trace(self.run_folder / "rank-00000.db") as trace:
            self.assertEqual(trace.execute("SELECT name, name_origin FROM object WHERE name = 'columns'").fetchall(),
                             [("columns", "program")])

    def test_names_are_those_of_the_mpi_and_not_of_the_program(self):
        for apply in ("all", "none"):  # what the program sees is compared with the bare run
            with self.subTest(apply):
                self.record("-> x", CALLSIGN_APPLY=apply)
                self.assertGreater(len(self.named()), 5)

    def test_long_names_are_cut(self):
        self.record("caller=halo kind=communicator -> " + "\u00e4" * 200)
        self.expect("\u00e4" * 127)  # 255 bytes, and not half of one more

    def test_without_stacks_the_return_address_decides(self):
        self.record(f"library=rules_grid.so caller=split -> grid\nat=rules.c:{LINE} -> halo", CALLSIGN_STACKS="none")
        self.assertEqual([name for _, _, name, _ in self.named()], ["grid", "grid", "halo"] * RANKS)

    def test_a_mistake_is_one_line_and_leaves_the_others(self):
        self.record("colour=3 -> a\ncaller=halo kind=communicator -> b\n", message=r"names\.rules:1:1: there is no condition colour: ")
        self.expect("b", rule=2)
        self.assertEqual(len(self.recorded.messages()), 1, "of several ranks one tells it")

    def test_a_file_that_is_not_there_is_one_line(self):
        bare = run(1, "rules", self.folder)
        extra = {**harness.recording(self.folder), "CALLSIGN_NAMES": str(self.folder / "absent")}
        recorded = run(1, "rules", self.folder, extra)
        self.assertEqual(harness.unaffected(bare, recorded, "cannot read the naming rules .*absent: No such file"), [])

    def test_callsign_names_shows_what_matched_and_what_did_not(self):
        self.record('library=rules_grid* -> "grid {n}"\nfunction=MPI_Comm_dup parent=none -> never\n')
        result = harness.run([harness.COMMAND, "names", self.run_folder])
        self.assertEqual(result.code, 0, result.stderr)
        self.assertRegex(result.stdout, r'(?m)^ *1  library=rules_grid\* -> "grid \{n\}" +4  grid 1, grid 2 *$')
        self.assertRegex(result.stdout, r"(?m)^ *2  function=MPI_Comm_dup parent=none -> never +0 *$")
        self.assertRegex(result.stdout, rf"(?m)^communicator +MPI_Comm_dup +rules +halo rules\.c:{LINE} +2 ")
        self.assertNotRegex(result.stdout, r"MPI_Comm_split +rules_grid")

    def test_callsign_run_finds_the_file_from_where_it_is_called(self):
        (self.folder / "my.rules").write_text("caller=halo kind=communicator -> mine\n", encoding="utf-8")
        harness.recording(self.folder)
        if harness.SANITIZER:
            self.skipTest("callsign run preloads no sanitizer")
        program = os.path.join(harness.PROGRAMS, "rules")
        words = ["--names", "my.rules", "--output", self.folder / "out", "--", "sh", "-c", f"cd / && exec {program}"]
        result = harness.run([harness.COMMAND, "run", *words], harness.base_environment(), cwd=self.folder)
        self.assertEqual(result.code, 0, result.stderr)
        self.expect("mine", ranks=[0])
        result = harness.run([harness.COMMAND, "run", "--names", "other.rules", "--", "true"], harness.base_environment(),
                             cwd=self.folder)
        self.assertEqual(result.code, 2)
        self.assertIn("callsign: --names other.rules: No such file or directory\n", result.stderr)

    def test_cxx(self):
        if not os.path.exists(os.path.join(harness.PROGRAMS, "stacks_cxx")):
            self.skipTest("no C++ compiler")
        self.record('parent=x -> never\ncaller="*solver::Grid::split<int>(int)" -> {caller}', np=1, program="stacks_cxx")
        self.expect("duplicate", rule=2, ranks=[0])  # which was inlined there

    def test_fortran(self):
        programs = pathlib.Path(harness.PROGRAMS).parents[1] / "fortran" / harness.FLAVOUR
        for binding in ("mpif_h", "mpi", "mpi_f08"):
            with self.subTest(binding):
                program = programs / f"semantics_{binding}"
                if not program.exists():
                    self.skipTest("no Fortran compiler")
                line = line_of(FORTRAN, "call MPI_Comm_dup(MPI_COMM_WORLD, rows")
                self.record(f'at=semantics.F90:{line} -> "{{library}} {{n}}"', program=program)
                self.expect(f"semantics_{binding} 1")
                shutil.rmtree(self.run_folder)

    def test_python(self):
        if harness.FLAVOUR != "openmpi" or harness.SANITIZER:
            self.skipTest("Debian builds mpi4py for Open MPI, and without sanitizer")
        python = harness.python_with("mpi4py")
        if not python:
            self.skipTest("no Python here has mpi4py (Debian: python3-mpi4py)")
        file = self.folder / "names.rules"
        file.write_text("library=MPI.*.so function=MPI_Comm_dup -> 'of'python\n", encoding="utf-8")
        extra = {**harness.recording(self.folder), "CALLSIGN_NAMES": str(file)}
        text = "from mpi4py import MPI\ncomm = MPI.COMM_SELF.Dup()\nprint(comm.Get_name())\ncomm.Free()\n"
        recorded = harness.mpirun(1, python, "-c", text, extra=extra, cwd=self.folder)
        self.assertEqual((recorded.code, recorded.stdout), (0, "\n"), recorded.stderr)
        self.expect("'of'python", ranks=[0])


if __name__ == "__main__":
    unittest.main()
