"""Lines of Python: the call site of a call from Python is the line that made it. Run for each flavour.

    LINES_PYTHON=/usr/bin/python3.13 python3 -m unittest python_lines      another Python
    LINES_GENERATED=20000 LINES_SEED=7 python3 -m unittest python_lines    more code that is generated, used and freed"""

import collections
import json
import os
import pathlib
import sys
import sysconfig
import unittest

import harness

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "programs", "lines.py")
MPI = os.environ["CS_TEST_MPI"]
PYTHON = os.environ.get("LINES_PYTHON", sys.executable)


def python_library():
    """The path of this Python's libpython, or None: it has none."""
    for name in (sysconfig.get_config_var("INSTSONAME"), sysconfig.get_config_var("LDLIBRARY")):
        for folder in (sysconfig.get_config_var("LIBDIR"), os.path.join(sysconfig.get_config_var("LIBDIR") or "", sysconfig.get_config_var("MULTIARCH") or "")):
            path = os.path.join(folder or "", name or "")
            if ".so" in path and os.path.isfile(path):
                return path
    return None


@unittest.skipIf(harness.SANITIZER, "Python itself is not built with the sanitizer")
class PythonLines(unittest.TestCase):
    def setUp(self):
        self.temporary = harness.workspace()
        self.folder = self.temporary.__enter__()
        self.addCleanup(self.temporary.cleanup)

    def record(self, program, *arguments, np=1, **settings):
        """Runs it bare and recorded, which must be the same, and converts; the trace of rank 0."""
        bare = harness.mpirun(np, program, *arguments, cwd=self.folder)
        self.assertEqual(bare.code, 0, bare.stderr)
        recorded = harness.mpirun(np, program, *arguments, extra=harness.recording(self.folder) | settings, cwd=self.folder)
        self.assertEqual(harness.unaffected(bare, recorded), [])
        self.run_folder = harness.run_folders(self.folder)[-1]
        result = harness.run([harness.COMMAND, "convert", self.run_folder])
        self.assertEqual(result.code, 0, result.stderr)
        return self.run_folder / "rank-00000.db"

    def ask(self, path, sql):
        with harness.open_trace(path) as trace:
            return trace.execute(sql).fetchall()

    def stacks(self, path, where):
        """The stack of the one site that objects of this kind have."""
        return [location for (location,) in self.ask(
            path, f"SELECT t.location FROM stacks t WHERE t.site IN (SELECT site FROM object WHERE {where}) ORDER BY t.depth")]

    def assert_lines(self, path):
        """Each call has its line, and no other line has calls."""
        with open(self.folder / "expected.json", encoding="utf-8") as file:
            expected = collections.Counter({tuple(key): calls for *key, calls in json.load(file)})
        found = collections.Counter()
        for name, function, file, line, calls in self.ask(
                path, "SELECT u.name, f.function, m.path, f.line, p.calls FROM profile p JOIN function u USING (function) JOIN site USING (site) "
                      "JOIN frame f USING (frame) JOIN module m USING (module) WHERE u.name IN ('MPI_Barrier', 'MPI_Comm_rank')"):
            found[name, function, file, line] += calls
        self.assertGreater(len(expected), 50)
        self.assertEqual(found - expected, collections.Counter())
        self.assertEqual(expected - found, collections.Counter())

    def test_each_call_has_its_line(self):
        """Functions of every kind, code that is generated, used and freed, thousands of lines, a file that changes, threads, callbacks from C."""
        path = self.record(PYTHON, PROGRAM, MPI, self.folder)
        self.assert_lines(path)
        text = harness.run([harness.COMMAND, "report", self.run_folder, "call_sites"]).stdout
        self.assertRegex(text, r"recursive lines\.py:\d+")
        # the whole stack of an object: nothing of the interpreter and of ctypes
        stack = self.stacks(path, "name = 'of python'")
        self.assertEqual([place.split()[0].split(".")[-1] for place in stack], ["innermost", "<lambda>", "objects", "<module>"])
        self.assertTrue(all(".py:" in place for place in stack), stack)
        self.assertEqual(self.ask(path, "SELECT count(*) FROM stacks WHERE location GLOB '*python3*' OR location GLOB '*ctypes*'"), [(0,)])

    def test_with_all_callers(self):
        path = self.record(PYTHON, PROGRAM, MPI, self.folder, CALLSIGN_STACKS="calls", LINES_GENERATED="50")
        self.assert_lines(path)
        deepest = self.ask(path, "SELECT max(depth) FILTER (WHERE location GLOB 'recursive *'), max(depth) FILTER (WHERE location = '<partial>') FROM stacks")
        self.assertEqual(deepest, [(62, 63)])
        tree = harness.run([harness.COMMAND, "report", self.run_folder, "call_tree"]).stdout
        self.assertIn("<module>", tree)
        self.assertNotIn("PyEval", tree)

    def test_without_stacks_there_are_return_addresses(self):
        path = self.record(PYTHON, PROGRAM, MPI, self.folder, CALLSIGN_STACKS="none", LINES_GENERATED="5")
        self.assertEqual(self.ask(path, "SELECT count(*) FROM frame WHERE file GLOB '*.py'"), [(0,)])

    def test_the_warning_about_communicators_names_the_line(self):
        script = self.folder / "leaking.py"
        script.write_text("import ctypes, sys\n"
                          "mpi = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)\n"
                          "world = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(mpi, 'ompi_mpi_comm_self'))) if hasattr(mpi, 'ompi_mpi_init') else 0x44000001\n"
                          "def leak():\n"
                          "    mpi.MPI_Comm_dup(world, ctypes.byref(ctypes.c_void_p()))\n"
                          "def other():\n"
                          "    leak()\n"
                          "mpi.MPI_Init(None, None)\n"
                          "for _ in range(5):\n"
                          "    leak(), other()\n"
                          "mpi.MPI_Finalize()\n", encoding="utf-8")
        result = harness.mpirun(1, PYTHON, script, MPI, extra=harness.recording(self.folder) | {"CALLSIGN_WARN_COMMUNICATORS": "6"}, cwd=self.folder)
        self.assertEqual(result.code, 0, result.stderr)
        lines = [line for line in result.stderr.splitlines() if "not freed" in line]
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertIn("has 7 communicators that are not freed, 7 of them created at leak leaking.py:5: see", lines[0])

    def test_calls_of_an_extension_are_charged_to_the_line_of_python(self):
        """An extension whose file name does not show it; a library that is none keeps its calls."""
        script = self.folder / "solve.py"
        script.write_text("import ctypes, sys\n"
                          "mpi = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)\n"
                          "mpi.MPI_Init(None, None)\n"
                          "rows, plain = map(ctypes.CDLL, sys.argv[2:])\n"
                          "rows.meet()\n"
                          "plain.meet()\n"
                          "mpi.MPI_Finalize()\n", encoding="utf-8")
        programs = pathlib.Path(harness.PROGRAMS)
        self.record(PYTHON, script, MPI, programs / "rows.so", programs / "libplain.so")
        calls = json.loads(harness.run([harness.COMMAND, "report", self.run_folder, "call_sites", "--format", "json"]).stdout)
        self.assertEqual(sorted((call["location"].partition(":")[0], call["through"]) for call in calls if call["function"] == "MPI_Barrier"),
                         [("<module> solve.py", "python extension"), ("meet extension.c", None)])

    @unittest.skipUnless(python_library(), "this Python has no libpython to embed")
    def test_only_calls_below_python_have_its_lines(self):
        """A program that embeds Python: before, after and beside its Python it calls MPI itself."""
        for how in ("global", "local"):
            with self.subTest(how):
                path = self.record("embedding", python_library(), how)
                calls = self.ask(path, "SELECT u.name, s.function, c.function, sum(p.calls) FROM profile p JOIN function u USING (function) "
                                       "JOIN sites s USING (site) LEFT JOIN sites c ON c.site = s.caller GROUP BY 1, 2, 3 ORDER BY 1, 2, 3")
                found = {(name, function, caller): number for name, function, caller, number in calls}
                self.assertEqual(found.get(("MPI_Barrier", "make", "inner")), 1, found)
                self.assertEqual(found.get(("MPI_Barrier", "run_python", None)), 2, found)
                self.assertEqual(found.get(("MPI_Comm_size", "work", None)), 1, found)
                self.assertEqual(found.get(("MPI_Comm_rank", "main", None)), 1, found)
                stack = self.stacks(path, "name = 'of Python'")
                functions = [place.split()[0] for place in stack]
                self.assertEqual(functions[:6], ["make", "inner", "outer", "<lambda>", "<module>", "run_python"], stack)
                self.assertEqual(functions[6], "main", stack)
                own = [place.split()[0] for place in self.stacks(path, "name = 'of C'")]
                self.assertEqual([function for function in own if function in ("make_in_c", "run_python", "main")], ["make_in_c"] * 2 + ["run_python"] * 2 + ["main"] * 2, own)
                self.assertFalse([place for place in own if place.startswith("<")], own)

    @unittest.skipUnless(harness.FLAVOUR == "openmpi", "Debian builds mpi4py for Open MPI")
    def test_mpi4py_shows_lines_of_its_user(self):
        python = harness.python_with("mpi4py")
        if not python:
            self.skipTest("no Python here has mpi4py (Debian: python3-mpi4py)")
        script = self.folder / "solve.py"
        script.write_text("from mpi4py import MPI\n"
                          "from mpi4py.util import pkl5\n"
                          "class Solver:\n"
                          "    def exchange(self, comm):\n"
                          "        return comm.sendrecv(7, dest=comm.rank, source=comm.rank)\n"
                          "def main():\n"
                          "    own = MPI.COMM_WORLD.Dup()\n"
                          "    Solver().exchange(MPI.COMM_WORLD)\n"
                          "    pkl5.Intracomm(MPI.COMM_SELF).bcast([1])\n"
                          "main()\n", encoding="utf-8")
        path = self.record(python, script, np=2)
        sites = self.ask(path, "SELECT u.name, s.location FROM profile JOIN function u USING (function) JOIN sites s USING (site)")
        self.assertIn(("MPI_Init_thread", "<module> solve.py:1"), sites)
        self.assertIn(("MPI_Sendrecv", "Solver.exchange solve.py:5"), sites + [("MPI_Sendrecv", place) for name, place in sites if name == "MPI_Isend"])
        self.assertEqual([place for name, place in sites if name == "MPI_Bcast"], ["main solve.py:9"] * len([1 for name, _ in sites if name == "MPI_Bcast"]))
        report = harness.run([harness.COMMAND, "report", self.run_folder, "leaks"]).stdout
        self.assertIn("main solve.py:7", report)
        overview = harness.run([harness.COMMAND, "report", self.run_folder]).stdout
        self.assertIn("solve", overview.splitlines()[0])


if __name__ == "__main__":
    unittest.main()
