"""Call stacks: from where objects are made, in programs of every kind. Run for each flavour."""

import os
import shutil
import stat
import unittest

import harness


class Stacks(unittest.TestCase):
    def setUp(self):
        self.temporary = harness.workspace()
        self.folder = self.temporary.__enter__()
        self.addCleanup(self.temporary.cleanup)

    def record(self, program, *arguments, np=1, library=None, **settings):
        """Runs it bare and recorded, which must be the same, and converts; the trace of rank 0."""
        bare = harness.mpirun(np, program, *arguments, cwd=self.folder)
        extra = harness.recording(self.folder, library)
        extra.update(settings)
        recorded = harness.mpirun(np, program, *arguments, extra=extra, cwd=self.folder)
        self.assertEqual(bare.code, 0, bare.stderr)
        self.assertEqual(harness.unaffected(bare, recorded), [])
        self.run_folder = harness.run_folders(self.folder)[0]
        result = harness.run([harness.COMMAND, "convert", self.run_folder])
        self.assertEqual(result.code, 0, result.stderr)
        return self.run_folder / "rank-00000.db"

    def ask(self, path, sql):
        with harness.open_trace(path) as trace:
            return trace.execute(sql).fetchall()

    def functions(self, path, column, where, name="function"):
        """The functions of the one stack that `column` has in these objects, innermost first; name: as which column has them."""
        rows = self.ask(path, f"WITH RECURSIVE walk (depth, site) AS (SELECT DISTINCT 0, {column} FROM {where} UNION ALL "
                              "SELECT depth + 1, s.caller FROM walk JOIN site s USING (site) WHERE s.caller IS NOT NULL) "
                              f"SELECT f.{name} FROM walk JOIN site USING (site) JOIN frame f USING (frame) ORDER BY depth")
        return [function for (function,) in rows]

    def test_every_frame_of_the_program_is_there(self):
        path = self.record("stacks", "nested")
        first = "object WHERE object = (SELECT min(object) FROM object WHERE name = 'nested')"
        expected = ["innermost", "middle", "outermost", "main"]
        for column in ("site", "freed_site"):
            self.assertEqual(self.functions(path, column, first)[:4], expected)
        self.assertEqual(self.functions(path, "site", first.replace("object WHERE object", "naming WHERE object", 1))[:4], expected)
        self.assertEqual(self.functions(path, "site", first.replace("object WHERE object", "attribute WHERE object", 1))[:4], expected)
        datatype = "object WHERE object = (SELECT min(object) FROM object WHERE kind = 'datatype' AND NOT predefined)"
        self.assertEqual(self.functions(path, "site", datatype)[:4], expected)
        self.assertEqual(self.ask(path, "SELECT DISTINCT library FROM objects WHERE created_by = 'MPI_Comm_dup'"), [("stacks",)])

    def test_functions_of_attribute_keys_are_named(self):
        path = self.record("keyvals", np=2)
        own = self.ask(path, "SELECT copy_function, delete_function FROM keyvals WHERE NOT internal AND copy_function GLOB 'copy_of*'")
        self.assertEqual(len(own), 5)
        kinds = ["communicator", "datatype", "window"]
        for (copy, delete), kind in zip(own, kinds):
            self.assertRegex(copy, rf"^copy_of_{kind} keyvals.c:\d+$")
            self.assertRegex(delete, rf"^drop_of_{kind} keyvals.c:\d+$")
        self.assertEqual({delete for _, delete in own[len(kinds):]}, {"MPI_TYPE_NULL_DELETE_FN"})

    def test_equal_stacks_are_one_and_calls_keep_their_return_address(self):
        path = self.record("stacks", "nested")
        self.assertEqual(self.ask(path, "SELECT count(DISTINCT site), count(DISTINCT freed_site), count(*) FROM object "
                                        "WHERE name = 'nested'"), [(2, 2, 101)])
        self.assertEqual(self.ask(path, "SELECT count(*) FROM profile JOIN site USING (site) WHERE caller IS NOT NULL"), [(0,)])
        self.assertEqual(self.ask(path, "SELECT count(*) FROM frame JOIN module USING (module) WHERE path GLOB '*libcallsign*'"), [(0,)])

    def test_stacks_of_all_calls_if_asked(self):
        path = self.record("stacks", "nested", CALLSIGN_STACKS="calls")
        self.assertEqual(self.ask(path, "SELECT count(DISTINCT site), sum(calls) FROM profile JOIN function USING (function) "
                                        "WHERE name = 'MPI_Comm_dup'"), [(2, 101)])
        self.assertEqual(self.ask(path, "SELECT count(*) FROM profile JOIN site USING (site) WHERE caller IS NULL"), [(0,)])
        self.assertEqual(self.ask(path, "SELECT count(*) FROM frame WHERE function = '<partial>'"), [(0,)])

    def test_stacks_that_are_too_deep_begin_with_a_frame_that_says_so(self):
        path = self.record("stacks", "deep", CALLSIGN_STACKS="calls")
        functions = self.functions(path, "site", "object WHERE name = 'nested'")
        self.assertEqual(functions, ["innermost", *["deep"] * 62, "<partial>"])
        text = harness.run([harness.COMMAND, "report", self.run_folder, "call_tree"]).stdout
        self.assertRegex(text, r"(?m)^<partial> > .* > deep > innermost ")
        self.assertIn("<partial> stands for callers that were not recorded", text)

    def test_functions_that_end_in_a_tail_call_are_there(self):
        several = " (tail call)" if harness.SANITIZER else ""  # sanitizers add tail calls to these functions
        for stacks in "objects", "calls":
            with self.subTest(stacks):
                rules = self.folder / "names.rules"
                rules.write_text('kind=communicator caller=jumper -> "of the jumper"\nkind=communicator caller=jumping -> "of its caller"\n', encoding="utf-8")
                path = self.record("stacks", "jumping", CALLSIGN_STACKS=stacks, CALLSIGN_NAMES=str(rules))
                self.assertEqual(self.ask(path, "SELECT name FROM naming WHERE origin = 'rule' ORDER BY object"),
                                 [("of the jumper",), ("of its caller",), ("of its caller",)])
                expected = {"jumped": ["jumper"], "jumped twice": ["jumper_to_jumper"], "by pointer": [], "plain": []}
                for name, inner in expected.items():
                    functions = [(each or "").removesuffix(several) for each in self.functions(path, "site", f"object WHERE name = '{name}'")]
                    self.assertEqual(functions[:len(inner) + 2], [*inner, "jumping", "main"])
                sites = self.ask(path, "SELECT f.function, sum(p.calls) FROM profile p JOIN function n USING (function) JOIN site USING (site) "
                                       "JOIN frame f USING (frame) WHERE n.name = 'MPI_Comm_dup' GROUP BY 1 ORDER BY 1")
                self.assertEqual([(function.removesuffix(several), calls) for function, calls in sites], [("jumper", 1), ("jumper_to_jumper", 1), ("jumping", 2)])
                if not several:
                    self.assertEqual(self.ask(path, "SELECT count(*) FROM frame WHERE function GLOB '* (tail call)'"), [(0,)])
                shutil.rmtree(self.run_folder)

    def test_functions_that_jumped_to_another_one_are_between_the_frames(self):
        expected = {"left": ["leaver"], "left twice": ["leaver_to_leaver"], "left at two places": ["leaver", "leaver_in_the_middle", "leaver_to_the_middle"],
                    "left by pointer": [], "not left": [], "cold": ["make_cold", "rarely"], "before a signal": ["leaver", "trap"]}
        for stacks in "objects", "calls":
            with self.subTest(stacks):
                path = self.record("stacks", "leaving", CALLSIGN_STACKS=stacks)
                for name, inner in expected.items():
                    functions = [(each or "").removesuffix(" (tail call)") for each in self.functions(path, "site", f"object WHERE name = '{name}'")]
                    if harness.SANITIZER:  # calls what the compiler makes a jump elsewhere
                        functions = [each for each in functions if "leaver" not in each]
                        inner = [each for each in inner if "leaver" not in each]
                    self.assertEqual(functions[:len(inner) + 3], ["make_one", *inner, "leaving", "main"], name)
                functions = self.functions(path, "site", "object WHERE name = 'in a signal'")
                self.assertEqual([each for each in functions[:functions.index("main")] if each], ["make_one", "trapped", "trap", "leaving"])
                shutil.rmtree(self.run_folder)

    def test_no_stacks_if_asked(self):
        path = self.record("stacks", "nested", CALLSIGN_STACKS="none")
        self.assertEqual(self.ask(path, "SELECT count(*) FROM site WHERE caller IS NOT NULL"), [(0,)])
        self.assertEqual(self.ask(path, "SELECT count(DISTINCT location) FROM objects WHERE name = 'nested'"), [(1,)])

    def test_stacks_that_are_small_or_odd(self):
        for mode in ("thread", "signal", "context", *["small"] * (not harness.SANITIZER)):
            with self.subTest(mode):
                path = self.record("stacks", mode)
                made = self.ask(path, "SELECT count(*), sum(library = 'stacks') FROM objects WHERE location GLOB 'small*'")
                self.assertEqual(made, [(12, 12)] if mode == "thread" else [(3, 3)])
                shutil.rmtree(self.run_folder)

    def test_libraries_that_come_and_go_keep_their_names(self):
        libraries = [os.path.join(harness.PROGRAMS, name) for name in ("stacks_first.so", "stacks_second.so")]
        path = self.record("stacks", "library", *libraries)
        self.assertEqual(self.ask(path, "SELECT library, count(*) FROM objects WHERE created_by = 'MPI_Comm_dup' GROUP BY 1 ORDER BY 1"),
                         [("stacks_first.so", 3), ("stacks_second.so", 3)])
        rows = self.ask(path, "SELECT DISTINCT o.library, t.location FROM objects o JOIN object USING (rank, object) JOIN stacks t "
                              "ON t.site = object.site WHERE o.created_by = 'MPI_Comm_dup' AND t.depth < 3 ORDER BY 1, t.depth")
        self.assertEqual([place.split()[0] for library, place in rows], ["make", "make_and_free", "in_library"] * 2)
        calls = self.ask(path, "SELECT m.path, n.name, sum(p.calls) FROM profile p JOIN function n USING (function) JOIN site USING (site) "
                               "JOIN frame USING (frame) JOIN module m USING (module) WHERE n.name IN ('MPI_Comm_dup', 'MPI_Comm_free') GROUP BY 1, 2 ORDER BY 1, 2")
        self.assertEqual([(os.path.basename(library), function, count) for library, function, count in calls],
                         [(os.path.basename(library), function, 3) for library in libraries for function in ("MPI_Comm_dup", "MPI_Comm_free")])

    @unittest.skipIf(harness.SANITIZER, "a sanitizer answers to names of the C library")
    def test_names_of_the_c_library_stay_its_own(self):
        front = harness.LIBRARY
        flavour = os.path.join(os.path.dirname(front), harness.SERVED_BY)
        for library in (front, flavour):
            with self.subTest(library):
                self.same_names(library, attempts=3)

    def same_names(self, library, attempts):
        """The number of an MPI's open descriptors may vary; a descriptor that callsign left open would be there each time."""
        try:
            self.record("stacks", "names", library=library)
        except AssertionError as error:
            if attempts == 1 or "next descriptor" not in str(error):
                raise
            print(error)
            self.same_names(library, attempts - 1)
        for folder in harness.run_folders(self.folder):
            shutil.rmtree(folder)

    def test_cxx_names_are_written_as_in_the_program(self):
        if not os.path.exists(os.path.join(harness.PROGRAMS, "stacks_cxx")):
            self.skipTest("no C++ compiler")
        path = self.record("stacks_cxx")
        names = self.functions(path, "site", "object WHERE name = 'made in C++'", "function_signature")
        self.assertRegex(names[0], r"^duplicate \(inlined into \S+ solver::Grid::split<int>\(int\)\)$")
        self.assertEqual(names[1:3], ["solver::Grid::rows()", "main"])
        names = self.functions(path, "site", "object WHERE name = 'made in C++'")
        self.assertEqual(names[:3], ["duplicate (inlined into solver::Grid::split<...>)", "solver::Grid::rows", "main"])
        text = harness.run([harness.COMMAND, "report", self.run_folder, "call_sites"]).stdout
        self.assertIn("duplicate (inlined into solver::Grid::split<...>) stacks_cxx.cc:", text)

    @unittest.skipIf(harness.SANITIZER, "Python itself is not built with the sanitizer")
    @unittest.skipUnless(harness.FLAVOUR == "openmpi", "Debian builds mpi4py for Open MPI")
    def test_python(self):
        python = harness.python_with("mpi4py")
        if not python:
            self.skipTest("no Python here has mpi4py (Debian: python3-mpi4py)")
        path = self.record(python, "-c", "from mpi4py import MPI\ncomm = MPI.COMM_SELF.Dup()\ncomm.Set_name('of python')\ncomm.Free()\n")
        stack = self.ask(path, "SELECT t.location, o.library FROM objects o JOIN object b USING (rank, object) JOIN stacks t ON t.site = b.site "
                               "WHERE o.name = 'of python'")
        self.assertEqual(stack, [("<module> <string>:2", "<string>")])

    def test_what_was_found_out_stays_when_the_program_is_gone(self):
        program = self.folder / "short-lived"
        shutil.copy(os.path.join(harness.PROGRAMS, "stacks"), program)
        path = self.record(str(program), "nested")
        program.unlink()
        result = harness.run([harness.COMMAND, "query", self.run_folder,
                              "SELECT DISTINCT location(site) AS location FROM object WHERE name = 'nested'", "--format", "csv"])
        self.assertEqual(result.code, 0, result.stderr)
        self.assertRegex(result.stdout, r"location\n\"?innermost (in short-lived|stacks\.c:\d+)")
        self.assertEqual(stat.S_IMODE(path.stat().st_mode) & 0o600, 0o600)
        self.assertEqual([file.name for file in self.run_folder.iterdir() if not file.name.startswith(".")], [path.name])


if __name__ == "__main__":
    unittest.main()
