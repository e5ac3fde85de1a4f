"""The display of handles in lldb, and the output of the new commands."""

import os
import re
import shutil
import struct
import unittest

import harness
from screen import LAST_CALL, ROWS, Screen
from session import GDB, SHOWN, STOP, Session, environment


MISTAKES = {"mpi name": "callsign: which handle?", "mpi name no_such_variable": "no_such_variable: use of undeclared",
            "mpi frobnicate": "mpi frobnicate: there is no such command", "mpi info colours": "no such objects: colours",
            "mpi where *grid": "is no number", "mpi name stop_here(comm, type, grid)": "Can't evaluate the expression"}


class Live(Screen):
    SCREENS = {
        "handles": ("bt", "p *grid", "p nested", "up", "frame variable", "p grid.list[1]", "p &rows"),
        "red": ("p grid->list[3]", "mpi info comms"),
        "state": ("mpi info", "mpi info comms", "mpi info types", "mpi info requests", "mpi waiting", "mpi", "help mpi"),
        "where": ("mpi where", "up", "mpi where stale", "mpi members rows", "mpi name column", "mpi name -comm grid.list[2]", "mpi name 12345678"),
        "mistakes": [f'script lldb.debugger.HandleCommand("{command}")' for command in MISTAKES],
    }

    def test_handles_are_shown_by_name_wherever_they_stand(self):
        text = self.lldb_screen("handles")
        column = r'0x\w+ "contiguous\(3\) of vector\(4,2,8\) of MPI_DOUBLE"'
        self.assertRegex(text, r'frame #0: .*stop_here\(comm=0x\w+ "rows", type=' + column + ", grid=0x")
        self.assertRegex(text, r'comm = 0x\w+ "rows"\n +column = ' + column)
        self.assertRegex(text, r'\[0\] = MPI_COMM_NULL\n +\[1\] = 0x\w+ "temporary" FREED\n +\[2\] = 0x\w+ "rows\.dup2"\n')
        self.assertRegex(text, r'\(fixed_comm\) (\$\d+ = )?0x\w+ "rows"')
        self.check_locals(text)
        self.assertRegex(text, r"file = (MPI_FILE_NULL|NULL)")  # a null pointer is shown by lldb itself
        self.assertRegex(text, r'\(MPI_Comm\) (\$\d+ = )?0x\w+ "temporary" FREED')
        self.assertRegex(text, r"\(MPI_Comm \*\) (\$\d+ = )?0x\w+\n")

    def test_names_cannot_change_the_screen(self):
        text = self.lldb_screen("red")
        self.assertNotIn("\033[31m", text)
        self.assertEqual(text.count(r"\e[31mred\n" + "\u00e9"), 2)

    def test_commands_tell_what_lives_and_what_waits(self):
        text = self.lldb_screen("state")
        _, process, comms, types, requests, waiting, words, long_help = re.split(r"(?m)^\(lldb\) (?:mpi|help).*\n", text)
        self.check_state(process, comms, types, requests, waiting)
        self.assertIn("mpi where [EXPR]", words)
        self.assertIn("mpi where [EXPR]", long_help)

    def test_where_tells_birth_name_and_end(self):
        text = self.lldb_screen("where")
        self.check_where(text)
        self.assertRegex(text, r'\n0x\w+ "rows\.dup2"\n')

    def test_functions_serve_scripts_and_breakpoints(self):
        text = self.lldb("breakpoint set -n stop_here", "breakpoint command add -F callsign_lldb.only -k comm -v columns 1",
                         "breakpoint set -n stop_here", "breakpoint command add -F callsign_lldb.only -k comm -v rows -k grid->list[1] -v temporary 2",
                         "run", "script print([callsign_lldb.name(x) for x in ('comm', 'grid->list[1]', '5')])",
                         "script print(callsign_lldb.handle('rows', 'comm') == lldb.frame.FindVariable('comm').GetValueAsSigned())",
                         "breakpoint delete 2", "continue")
        self.assertIn("['rows', 'temporary', '']", text)
        self.assertIn("\nTrue\n", text)
        self.assertRegex(text, r"exited with status = 0")

    def test_breakpoint_in_mpi_stops_for_a_name(self):
        """Set before there is an MPI. What has no arguments to look at, as the MPI's own function, does not stop."""
        for name, stops in (("rows", True), ("columns", False)):
            text = self.lldb("breakpoint set -n MPI_Send", f"breakpoint command add -F callsign_lldb.only -k comm -v {name} 1", "run")
            self.assertEqual(bool(re.search(r'frame #0: .*`MPI_Send\(.*comm=0x\w+ "rows"', text)), stops, text)
            self.assertEqual("exited with status = 0" in text, not stops, text)

    def test_before_mpi_values_are_shown_as_lldb_does(self):
        text = self.lldb("breakpoint set -n main", "run", "frame variable number rows", "mpi info")
        self.assertRegex(text, r"\(MPI_Comm\) rows = (-?\d+|0x\w+|NULL)\n")
        self.assertRegex(text, "callsign: no live table here")

    def test_program_without_callsign_is_shown_as_lldb_does(self):
        text = self.lldb("settings clear target.env-vars", *STOP, "mpi info")
        self.assertRegex(text, r"stop_here\(comm=(-?\d+|0x\w+), type=")
        self.assertRegex(text, "callsign: no live table here")

    def test_program_without_symbols_is_asked_too(self):
        program = shutil.copy(SHOWN, self.folder / "stripped")
        self.assertEqual(harness.run(["strip", program]).code, 0)
        text = self.lldb("breakpoint set -n MPI_Send", "breakpoint command add -F callsign_lldb.only -k comm -v rows 1", "run", "mpi waiting",
                         "mpi info comms", program=program)
        self.assertRegex(text, r'frame #0: .*`MPI_Send\(.*comm=0x\w+ "rows"')
        self.assertRegex(text, r'its last call was MPI_Irecv on 0x\w+ "rows", from rank 0, tag 7, called from .*0x')
        self.assertRegex(text, r"rows +0 of 1 +MPI_Comm_dup .*0x")

    def test_mistakes_are_told_in_a_line(self):
        text = self.lldb_screen("mistakes")
        errors = re.findall("(?m)^error: (.*)", text)
        self.assertEqual(len(errors), len(MISTAKES), text)
        for error, said in zip(errors, MISTAKES.values()):
            self.assertIn(said, error)

    def test_environment_of_the_program_is_that_of_its_user(self):
        program = self.folder / "program"
        program.write_text('#!/bin/sh\necho "<${PYTHONPATH-unset} ${CALLSIGN_LLDB_LIBRARY-unset} ${CALLSIGN_LLDB_PYTHONPATH-unset} $LD_PRELOAD>"\n',
                           encoding="utf-8")
        program.chmod(0o755)
        if not shutil.which("lldb"):
            self.skipTest("there is no lldb here")
        env = environment(self.folder, LD_PRELOAD="libm.so.6", PYTHONPATH="/no/such/folder")
        for path in ("/no/such/folder", "unset"):
            done = harness.run([harness.COMMAND, "lldb", "--", "-b", "-x", "-o", "run", "--", "/bin/sh", program], env, self.folder)
            self.assertIn(f"<{path} unset unset {harness.LIBRARY}:libm.so.6>", done.stdout, done.stderr)
            env.pop("PYTHONPATH", None)

    def test_two_targets_each_show_their_own(self):
        text = self.lldb(*STOP, f"target create {SHOWN}", *STOP, "mpi info", "target select 0", "frame variable comm", "mpi info")
        two, one = re.findall(r"(?m)^process (\d+): rank 0 of 1", text)
        self.assertEqual(re.findall(r"Process (\d+) launched", text), [one, two])
        self.assertRegex(text, r'\(MPI_Comm\) comm = 0x\w+ "rows"')


class Languages(Screen):
    def test_references_and_vectors_of_cpp_show_names(self):
        text = self.lldb(*STOP, "bt", "p grid", "p comm", "frame variable same", "mpi name comm", "mpi name -comm grid.list[0]", program=self.program("cxx"))
        self.assertRegex(text, r'stop_here\(comm=0x\w+ "rows", grid=0x')
        self.assertRegex(text, r'\n  comm = 0x\w+ "rows"')
        self.assertRegex(text, r'\(const MPI_Comm( &)?\) (\$\d+ = )?0x\w+ "rows"')
        if harness.FLAVOUR == "openmpi":  # elsewhere the typedef is lost there
            self.assertRegex(text, r'\[0\] = 0x\w+ "rows"\n +\[1\] = MPI_COMM_SELF')
            self.assertRegex(text, r' same = 0x\w+ "rows"')
        self.assertEqual(len(re.findall(r'(?m)^0x\w+ "rows"$', text)), 2, text)

    def test_integers_of_fortran_show_names(self):
        """lldb knows no variables of Fortran: the first argument by its address."""
        text = self.lldb("breakpoint set -r stop_here", "run", "mpi name -f -comm *(int*)$rdi" if os.uname().machine == "x86_64" else
                         "mpi name -f -comm *(int*)$x0", "mpi info comms", program=self.program("fort"))
        self.assertRegex(text, r'(?m)^0x\w+ "rows"$')
        self.assertRegex(text, r"rows +0 of 1 +MPI_Comm_dup MAIN__ shown\.f90:\d+")


class Attached(Session):
    def test_call_that_waits_is_shown_by_name(self):
        with self.waiting("wait") as process:
            self.until("in MPI_Recv", "attach", str(process.pid))
            text = self.lldb("mpi waiting", "mpi info comms", "bt", "detach", arguments=["-p", str(process.pid)])
            self.assertIsNone(process.poll())
        self.assertRegex(text, r'in MPI_Recv on 0x\w+ "rows", from rank 0, tag 99, since .*, called from main shown\.c:\d+')
        self.assertRegex(text, ROWS)


class Cores(Session):
    def shows_the_same(self, core):
        text = self.lldb("bt", "p *grid", "mpi info", "up", "frame variable op", "mpi where stale", arguments=["-c", str(core), SHOWN])
        self.assertRegex(text, r'stop_here\(comm=0x\w+ "rows", type=0x\w+ "contiguous\(3\) of vector')
        self.assertRegex(text, r'\[1\] = 0x\w+ "temporary" FREED')
        self.assertRegex(text, r"process \d+: rank 0 of 1")
        self.assertRegex(text, r'its last call was MPI_Irecv on 0x\w+ "rows", from rank 0, tag 7')
        self.assertIn("op = MPI_SUM", text)
        self.assertRegex(text, r'communicator 0x\w+ "temporary" FREED\n  created by MPI_Comm_dup\n    at main shown\.c:\d+')

    def core_with(self, libraries):
        """A core of the program with these libraries of callsign."""
        if not GDB:
            self.skipTest("there is no gdb here, which writes the core")
        core = self.folder / "core"
        words = [GDB, "-batch", "-nx", "-ex", f"set exec-wrapper env LD_PRELOAD={libraries}/libcallsign.so", "-ex", "break stop_here", "-ex", "run",
                 "-ex", f"generate-core-file {core}", SHOWN]
        done = harness.run(words, environment(self.folder), self.folder)
        self.assertTrue(core.exists(), done.stdout + done.stderr)
        return core

    def test_core_shows_the_same(self):
        self.shows_the_same(self.core_with(self.own_libraries()))

    def test_core_of_the_kernel_shows_names(self):
        text = self.lldb("bt", "mpi info", "mpi info comms", arguments=["-c", str(self.core_of_the_kernel()), SHOWN])
        self.assertRegex(text, "stop reason = (signal )?SIGABRT")
        self.assertRegex(text, LAST_CALL + r", called from main shown\.c:\d+")
        self.assertRegex(text, ROWS)

    def test_core_without_callsigns_libraries_shows_the_same(self):
        libraries = self.own_libraries()
        core = self.core_with(libraries)
        shutil.rmtree(libraries)
        self.shows_the_same(core)

    def test_core_beside_another_library_shows_the_same(self):
        """The symbol's address in that library is no table. The library has the same build id, because otherwise lldb 21 does not accept it."""
        if not shutil.which("cc"):
            self.skipTest("there is no compiler here")
        libraries = self.own_libraries()
        core = self.core_with(libraries)
        (self.folder / "other.c").write_text("char padding[5000] = {1}, callsign_debug[5000] = {2};\n", encoding="utf-8")
        library = libraries / harness.SERVED_BY
        same = [f"-Wl,--build-id=0x{number}" for number in re.findall(r"Build ID: (\w+)", harness.run(["readelf", "-n", library]).stdout)]
        self.assertEqual(harness.run(["cc", "-shared", *same, "-o", library, self.folder / "other.c"]).code, 0)
        self.assertIn(f"{library.name}.", self.lldb("image lookup -s callsign_debug", arguments=["-c", str(core), SHOWN]))
        self.shows_the_same(core)

    def test_table_of_another_layout_is_refused_in_a_line(self):
        from callsign_debugger.layout import DEBUG, DEBUG_BYTE_ORDER, DEBUG_MAGIC, DEBUG_MAJOR
        core = self.core_with(self.own_libraries())
        data = bytearray(core.read_bytes())
        at = data.find(DEBUG_MAGIC + struct.pack("<IH", DEBUG_BYTE_ORDER, DEBUG_MAJOR))
        at += DEBUG.offsets["major"]
        data[at:at + 2] = struct.pack("<H", DEBUG_MAJOR - 1)
        core.write_bytes(data)
        text = self.lldb("frame variable comm", "mpi info", arguments=["-c", str(core), SHOWN])
        self.assertRegex(text, r"\(MPI_Comm\) comm = (-?\d+|0x\w+)\n")
        self.assertRegex(text, rf"(?m)^error: callsign: its live table has layout {DEBUG_MAJOR - 1}\.\d, this callsign reads {DEBUG_MAJOR}")


class Scripts(Session):
    def test_one_line_of_lldbinit_is_enough(self):
        """And a second import of the same changes nothing. The tree lies elsewhere: it is found by its own paths."""
        tree = self.folder / "installed"
        build = os.path.dirname(os.path.dirname(harness.LIBRARY))
        for folder in ("bin", "lib", "share"):
            shutil.copytree(os.path.join(build, folder), tree / folder, ignore=shutil.ignore_patterns("__pycache__", "*.a"))
        home = self.folder / "home"
        home.mkdir()
        (home / ".lldbinit").write_text(f"command script import {tree}/share/callsign/debugger/callsign_lldb.py\n", encoding="utf-8")
        if not shutil.which("lldb"):
            self.skipTest("there is no lldb here")
        done = harness.run([tree / "bin/callsign", "lldb", "--", "-b", "-o", "breakpoint set -n stop_here", "-o", "run", "-o", "mpi name comm", SHOWN],
                           environment(self.folder, HOME=str(home), PYTHONDONTWRITEBYTECODE="1"), self.folder)
        self.assertRegex(done.stdout, r'stop_here\(comm=0x\w+ "rows"', done.stderr)
        self.assertRegex(done.stdout, r'(?m)^0x\w+ "rows"$')
        self.assertNotIn("error", done.stderr)


if __name__ == "__main__":
    unittest.main()
