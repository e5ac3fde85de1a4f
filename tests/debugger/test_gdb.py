"""The display of handles in gdb, and the output of the new commands."""

import os
import re
import shutil
import sys
import unittest

import harness
from screen import LAST_CALL, ROWS, Screen
from session import DEBUGGER, SHOWN, Session

from callsign_debugger.show import FORTRAN

HANDLE = r"0x[0-9a-f]+ "


class Live(Screen):
    SCREENS = {
        "handles": ("bt", "p *grid", "next", "p nested", "up", "info locals", "p grid.list"),
        "red": ("p grid->list[3]", "info mpi comms"),
        "state": ("info mpi", "echo ---\\n", "info mpi comms", "echo ---\\n", "info mpi types", "echo ---\\n", "info mpi requests", "echo ---\\n",
                  "mpi waiting"),
        "twice": ("echo ---\\n", "info mpi", "info mpi comms", "echo ---\\n", "mpi info", "mpi info comms", "echo ---\\n", "mpi", "mpi info colours"),
        "where": ("mpi where", "up", "mpi where stale", "mpi members rows", "mpi name column", "mpi name 12345678"),
        "mistakes": ("mpi name", "mpi name no_such_variable", "mpi where -comm 5"),
        "mi": ("interpreter-exec mi -enable-pretty-printing", 'interpreter-exec mi "-var-create v * comm"'),
    }

    def test_handles_are_shown_by_name_wherever_they_stand(self):
        text = self.gdb_screen("handles")
        self.assertRegex(text, r'#0 .*stop_here \(comm=0x\w+ "rows", type=0x\w+ "contiguous\(3\) of vector\(4,2,8\) of MPI_DOUBLE"')
        self.assertRegex(text, r'comm = 0x\w+ "rows", column = 0x\w+ "contiguous.*list = \{MPI_COMM_NULL, 0x\w+ "temporary" FREED, 0x\w+ "rows\.dup2"')
        self.assertRegex(text, r'\$2 = 0x\w+ "rows"')
        self.check_locals(text)
        self.assertIn("file = MPI_FILE_NULL", text)

    def test_names_cannot_change_the_screen(self):
        text = self.gdb_screen("red")
        self.assertNotIn("\033[31m", text)
        self.assertIn(r"\e[31mred\n" + "\u00e9", text)

    def test_commands_tell_what_lives_and_what_waits(self):
        process, comms, types, requests, waiting = self.gdb_screen("state").split("---\n")
        self.check_state(process, comms, types, requests, waiting)

    def test_mpi_info_is_the_same_as_info_mpi(self):
        _, first, second, rest = self.gdb_screen("twice").split("---\n")
        ago = re.compile(r"since [\d.]+ \w+")
        self.assertRegex(first, r"\Aprocess \d+: rank 0 of 1")
        self.assertRegex(first, r"rows +0 of 1")
        self.assertEqual(ago.sub("", first), ago.sub("", second))
        self.assertIn("mpi where [EXPR]", rest)
        self.assertIn("callsign: no such objects: colours; there are comms, types,", rest)

    def test_where_tells_birth_name_and_end(self):
        self.check_where(self.gdb_screen("where"))

    def test_functions_serve_conditions(self):
        text = self.gdb('break stop_here if comm == $callsign_handle("rows", "comm") && $_streq($callsign_name(comm), "rows")', "run",
                        "p $callsign_name(grid->column)", 'p $callsign_handle("no such")')
        self.assertIn('comm=0x', text)
        self.assertIn('"contiguous(3) of vector(4,2,8) of MPI_DOUBLE"', text)
        self.assertIn("nothing that lives is called no such", text)

    def test_breakpoint_in_mpi_stops_for_a_name(self):
        """Set before there is an MPI, and before anything is called so."""
        for name, stops in (("rows", True), ("columns", False)):
            text = self.gdb(f'break MPI_Send -force-condition if $_streq($callsign_name(comm), "{name}")', "run")
            self.assertEqual(bool(re.search(r'hit Breakpoint .*MPI_Send \(.*comm=0x\w+ "rows"', text)), stops, text)
            self.assertEqual("exited normally" in text, not stops, text)

    def test_before_mpi_values_are_shown_as_gdb_does(self):
        text = self.gdb("break main", "run", "p rows", "info mpi")
        self.assertNotIn('"rows"', text)
        self.assertRegex(text, "callsign: no live table here")

    def test_mistakes_are_told_in_a_line(self):
        text = self.gdb_screen("mistakes")
        self.assertIn("callsign: which handle?", text)
        self.assertIn('No symbol "no_such_variable" in current context.', text)

    def test_mi_shows_names_and_no_braces(self):
        self.assertRegex(self.gdb_screen("mi"), r'numchild="0",value="0x\w+ \\"rows\\""')

    def test_program_in_gdb_ends_as_without(self):
        self.assertIn("exited normally", self.gdb("run"))


class Languages(Screen):
    def test_references_and_vectors_of_cpp_show_names(self):
        text = self.gdb("break stop_here", "run", "bt", "p grid", "p $callsign_name(comm)", program=self.program("cxx"))
        self.assertRegex(text, r'stop_here \(comm=0x\w+ "rows"')
        self.assertRegex(text, r'\{comm = 0x\w+ "rows", list = ')
        if harness.FLAVOUR == "openmpi":  # elsewhere the typedef is lost there
            self.assertRegex(text, r'= \{0x\w+ "rows", MPI_COMM_SELF\}')
        self.assertIn('$2 = "rows"', text)

    def test_fortran_shows_names(self):
        text = self.gdb("break stop_here", "run", "up", "info locals", "mpi name -f -comm number", "mpi name -f number", program=self.program("fort"))
        self.assertRegex(text, r'rows = 0x\w+ "rows"')
        self.assertIn("none = MPI_COMM_NULL", text)
        self.assertRegex(text, r'column = 0x\w+ "vector\(4,2,8\) of MPI_DOUBLE_PRECISION"')
        self.assertRegex(text, r'number = -?\d+\n')
        self.assertRegex(text, r'\n0x\w+ "rows"\n')


# Prints the Fortran handles of C handles: "Comm_c2f ompi_mpi_comm_world", ...
ASK_MPI = """
import ctypes, sys
mpi = ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL)
mpi.MPI_Init(None, None)
for words in sys.argv[2:]:
    function, symbol = words.split()
    print(getattr(mpi, "PMPI_" + function)(ctypes.byref(ctypes.c_char.in_dll(mpi, symbol))))
mpi.MPI_Finalize()
"""


class Constants(unittest.TestCase):
    def test_fortran_constants_of_open_mpi_are_those_of_its_library(self):
        if harness.FLAVOUR != "openmpi" or harness.ABI:
            self.skipTest("only Open MPI has other handles in Fortran than in C")
        c2f = {word: word.capitalize() for word in FORTRAN} | {"communicator": "Comm", "datatype": "Type", "window": "Win"}
        asked = [(word, f"ompi_{name.lower()}".replace("ompi_mpi_request", "ompi_request")) for word, names in FORTRAN.items() for name in names]
        words = [sys.executable, "-c", ASK_MPI, os.environ["CS_TEST_MPI"], *(f"{c2f[word]}_c2f {symbol}" for word, symbol in asked)]
        result = harness.run(words, harness.base_environment())
        self.assertEqual([int(number) for number in result.stdout.split()], [names.index(name) for names in FORTRAN.values() for name in names], result.stderr)


class Many(Session):
    def test_a_hundred_thousand_objects_need_few_reads(self):
        text = self.gdb("break stop_here", "run", "source " + os.path.join(os.path.dirname(__file__), "reads.py"), "p freed",
                        program=os.path.join(os.path.dirname(SHOWN), "many"))
        self.check_reads(text, r"\$1 = ")

    def test_random_stops_show_no_wrong_name(self):
        """Wherever it is stopped: amid updates of the table too."""
        commands = ["set pagination off", "break stop_here", "run", "delete"]
        loop = ("python\nimport random, signal, threading, os, time\nfrom callsign_debugger.gdb_memory import needed\n"
                "random.seed(7)\nwrong = names = 0\n"
                "for _ in range(60):\n"
                "    pid = gdb.selected_inferior().pid\n"
                "    threading.Timer(random.uniform(0.001, 0.02), os.kill, (pid, signal.SIGINT)).start()\n"
                "    gdb.execute('continue', to_string=True)\n"
                "    table = needed()\n"
                "    for record in table.records({2}, freed=True):\n"
                "        name = table.given_name(record).decode('utf-8', 'replace')\n"
                "        if name and not record.flags & 2:\n"
                "            names += 1\n"
                "            wrong += name != f'{record.bytes}.' * 6\n"
                "print(f'random stops: {names > 1000} names, {wrong} wrong')\nend\n")
        script = self.folder / "stops.gdb"
        script.write_text(loop, encoding="utf-8")
        text = self.gdb(*commands, f"source {script}", "kill", program=os.path.join(os.path.dirname(SHOWN), "churning"))
        self.assertIn("random stops: True names, 0 wrong", text)


class Attached(Session):
    def test_call_that_waits_is_shown_by_name(self):
        with self.waiting("wait") as process:
            self.until("in MPI_Recv", "attach", str(process.pid))
            text = self.gdb("mpi waiting", "info mpi comms", arguments=["-p", str(process.pid)])
        self.assertRegex(text, r'in MPI_Recv on 0x\w+ "rows", from rank 0, tag 99, since .*, called from main shown\.c:\d+')


class Cores(Session):
    def test_core_shows_the_same(self):
        core = self.core()
        text = self.gdb("bt", "p *grid", "mpi waiting", "up", "mpi where stale", arguments=[SHOWN, core])
        self.assertRegex(text, r'stop_here \(comm=0x\w+ "rows", type=0x\w+ "contiguous\(3\) of vector')
        self.assertRegex(text, r'"temporary" FREED')
        self.assertRegex(text, r'its last call was MPI_Irecv on 0x\w+ "rows", from rank 0, tag 7')

    def test_core_of_the_kernel_shows_names(self):
        text = self.gdb("mpi info", "mpi info comms", arguments=[SHOWN, self.core_of_the_kernel()])
        self.assertIn("terminated with signal SIGABRT", text)
        self.assertRegex(text, LAST_CALL + r", called from main shown\.c:\d+")
        self.assertRegex(text, ROWS)

    def test_core_without_callsigns_libraries_shows_the_same(self):
        core = self.core()
        text = self.gdb("p *grid", "info mpi", arguments=[SHOWN, core], before=("-iex", "set sysroot /no/such/folder"))
        self.assertRegex(text, r'comm = 0x\w+ "rows"')
        self.assertRegex(text, "process .*: rank 0 of 1")


class Scripts(Session):
    def test_library_brings_its_script_where_gdb_trusts_it(self):
        if not shutil.which("gdb"):
            self.skipTest("there is no gdb here")
        stripped = self.own_libraries()
        package = self.folder / "share/callsign/debugger"
        shutil.copytree(DEBUGGER, package, ignore=shutil.ignore_patterns("__pycache__"))
        words = ["gdb", "-batch", "-nx", "-iex", f"add-auto-load-safe-path {self.folder}", "-ex", "set width 0", "-ex",
                 f"set exec-wrapper env LD_PRELOAD={stripped}/libcallsign.so", "-ex", "break stop_here", "-ex", "run", "-ex", "bt", SHOWN]
        done = harness.run(words, harness.base_environment(CALLSIGN_OUTPUT=str(self.folder), PYTHONDONTWRITEBYTECODE="1"), self.folder)
        self.assertTrue(re.search(r'stop_here \(comm=0x\w+ "rows"', done.stdout), done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
