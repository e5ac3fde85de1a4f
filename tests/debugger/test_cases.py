"""Types that are hard to name, handles that mislead, libraries and programs that are not what gdb expects."""

import contextlib
import os
import re
import shutil
import struct
import subprocess
import unittest

import harness
from session import SHOWN, Session, bounded, environment  # sets the path of the package

from callsign_debugger.layout import DEBUG, DEBUG_BYTE_ORDER, DEBUG_MAGIC, DEBUG_MAJOR

CASES = os.path.join(os.path.dirname(SHOWN), "cases")
FLAVOUR_LIBRARY = harness.SERVED_BY


class Values(Session):
    SCREENS = {
        "structures": ("p strict", "p *outer", "p *outer->pointer", "p outer->middle.inner[1].types"),
        "reused": ("p reused", "up", "p stale", "mpi where stale", "info mpi comms"),
        "twins": ("up", "p twins", 'p $callsign_handle("twin", "comm") == twins[1]', 'p $callsign_handle("twin", "comm") == twins[0]'),
        "mi": ("interpreter-exec mi -enable-pretty-printing", 'interpreter-exec mi "-stack-list-variables --all-values"',
               'interpreter-exec mi "-var-create v * outer->middle.inner[1]"', 'interpreter-exec mi "-var-list-children --all-values v"', "up",
               'interpreter-exec mi "-stack-list-variables --simple-values"'),
    }

    def case(self, name):
        return self.gdb_screen(name, program=CASES)

    def test_qualified_types_and_structures_in_structures_show_names(self):
        text = self.case("structures")
        self.assertRegex(text, r'stop_here \(strict=0x\w+ "rows"')
        self.assertRegex(text, r'\$1 = 0x\w+ "rows"')
        self.assertRegex(text, r'inner = \{\{comm = 0x\w+ "rows", types = \{MPI_INT, MPI_DATATYPE_NULL\}\}, \{comm = 0x\w+ "twin", types = \{MPI_CHAR, MPI_DOUBLE\}')
        self.assertRegex(text, r'either = \{comm = 0x\w+ "twin"')
        self.assertRegex(text, r'\$3 = 0x\w+ "rows"')
        self.assertIn("$4 = {MPI_CHAR, MPI_DOUBLE}", text)

    def test_value_that_was_given_again_tells_whose_it_was(self):
        text = self.case("reused")
        if re.match(r"\$\d+ = 0\n", text):
            self.skipTest("this MPI gave no handle again")
        self.assertRegex(text, r'\$\d+ = (0x\w+) "next owner"\n')
        self.assertRegex(text, r'its handle belonged to 0x\w+ "first owner" FREED before')
        self.assertNotIn("first owner", text.rsplit("handle ", 1)[1])  # lives no more

    def test_of_two_with_one_name_both_show_it(self):
        text = self.case("twins")
        first, second = re.search(r'\$\d+ = \{(0x\w+) "twin", (0x\w+) "twin"\}', text).groups()
        self.assertNotEqual(first, second)
        self.assertRegex(text, r"\$\d+ = (1|true)\n\$\d+ = (0|false)")  # the latest

    def test_mi_shows_names_in_lists_of_variables(self):
        text = self.case("mi")
        self.assertRegex(text, r'name="strict",arg="1",value="0x\w+ \\"rows\\""')
        self.assertRegex(text, r'exp="comm",numchild="0",value="0x\w+ \\"twin\\"",type="row_comm"')
        self.assertRegex(text, r'name="copy",(type="MPI_Comm",)?value="0x\w+ \\"copy of rows\\""')

    def test_cpp_keeps_names_in_references_and_after_a_cast(self):
        program = f"{CASES}_cxx"
        if not os.path.exists(program):
            self.skipTest(f"there is no compiler for C++: mpicxx of {harness.FLAVOUR}")
        text = self.gdb("break chosen", "run", "p grid.first", "finish", "p (MPI_Comm)$", "break stop_here", "continue", "p moved", "up",
                        "p (MPI_Comm)copied", "p (MPI_Comm)grid.list[0]", "mpi name -comm grid.list[1]", "p $callsign_name(copied)", "info locals",
                        program=program)
        self.assertEqual(len(re.findall(r'\$[13456] = 0x\w+ "rows"\n', text)), 5, text)
        self.assertRegex(text, r'stop_here \(moved=0x\w+ "rows"\)')
        self.assertIn("\nMPI_COMM_SELF\n", text)
        self.assertIn('$7 = "rows"', text)
        if harness.FLAVOUR == "openmpi":  # a handle is a pointer to a structure of that name
            self.assertRegex(text, r'Value returned is \$2 = 0x\w+ "rows"')
            self.assertRegex(text, r'copied = 0x\w+ "rows"\nseen = 0x\w+ "rows"')
            self.assertRegex(text, r'= \{0x\w+ "rows", MPI_COMM_SELF\}')
        else:  # an int, and the compiler has told no more of it
            self.assertRegex(text, r"Value returned is \$2 = -?\d+\n")

    def test_two_inferiors_answer_for_themselves(self):
        text = self.gdb("break stop_here", "run", "add-inferior -exec " + os.path.join(os.path.dirname(SHOWN), "many"), "inferior 2", "run", "p living", "info mpi",
                        "inferior 1", "p strict", "info mpi", "info inferiors", "inferior 2", "kill", "p strict", "inferior 1", "p strict", program=CASES)
        self.assertRegex(text, r'\$1 = 0x\w+ "vector\(4,2,100007\) of MPI_DOUBLE"')
        self.assertRegex(text, r'\$2 = 0x\w+ "rows"')
        second, first = re.findall(r"(?m)^process (\d+): rank 0 of 1", text)
        self.assertRegex(text, rf"1 +process {first} .*/cases")
        self.assertRegex(text, rf"2 +process {second} .*/many")
        self.assertRegex(text, r'\$3 = 0x\w+ "rows"')

    def test_without_callsign_values_are_shown_as_gdb_does(self):
        text = self.gdb("unset exec-wrapper", "break stop_here", "run", "p *outer", "info mpi", program=CASES)
        self.assertNotIn('"rows"', text)
        self.assertRegex(text, r"comm = (-?\d+|0x\w+), types = \{")
        self.assertRegex(text, "callsign: no live table here: is the program run with callsign")

    def test_program_with_nothing_to_preload_into_is_told_in_a_line(self):
        """Linked statically, its MPI too: nobody can stand before that."""
        compiler, program = shutil.which("cc"), self.folder / "static"
        source = self.folder / "static.c"
        source.write_text("int main(void) { return 0; }\n", encoding="utf-8")
        if not compiler or harness.run([compiler, "-static", "-g", "-o", program, source]).code != 0:
            self.skipTest("nothing can be linked statically here")
        text = self.gdb("break main", "run", "info mpi", "continue", program=program)
        self.assertRegex(text, r"\ncallsign: no live table here: .* is its MPI linked dynamically, not statically\?\n")
        self.assertIn("exited normally", text)


class Builds(Session):
    """The libraries that gdb finds are not those that ran, or say nothing."""

    def libraries(self):
        """callsign in a folder of its own, and what makes gdb start programs with that."""
        folder = self.folder / "lib"
        folder.mkdir()
        for name in ("libcallsign.so", FLAVOUR_LIBRARY, "libcallsign-unwind.so"):
            shutil.copy(os.path.join(os.path.dirname(harness.LIBRARY), name), folder)
        return folder, f"set exec-wrapper env LD_PRELOAD={folder}/libcallsign.so"

    def move_symbol(self, path):
        """Imitates another build: `callsign_debug` has another address."""
        data = bytearray(path.read_bytes())
        sections, = struct.unpack_from("<Q", data, 40)
        size, count = struct.unpack_from("<HH", data, 58)
        headers = [struct.unpack_from("<IIQQQQIIQQ", data, sections + size * number) for number in range(count)]
        moved = 0
        for _, kind, _, _, offset, bytes_, link, *_ in headers:
            for at in range(offset, offset + bytes_, 24) if kind in (2, 11) else ():
                name = headers[link][4] + struct.unpack_from("<I", data, at)[0]
                if data[name:name + 15] == b"callsign_debug\0":
                    struct.pack_into("<Q", data, at + 8, struct.unpack_from("<Q", data, at + 8)[0] - 64)
                    moved += 1
        self.assertGreater(moved, 0)
        path.unlink()  # running processes keep it
        path.write_bytes(data)

    def test_core_of_another_build_of_the_library_shows_names(self):
        folder, preload = self.libraries()
        core = self.core(preload)
        self.move_symbol(folder / FLAVOUR_LIBRARY)
        text = self.gdb("p *grid", "info mpi", "info address callsign_debug", arguments=[SHOWN, core])
        self.assertRegex(text, r'comm = 0x\w+ "rows"')
        self.assertRegex(text, r"process \d+: rank 0 of 1")
        self.assertIn('Symbol "callsign_debug" is', text)

    def test_process_whose_library_was_replaced_shows_names(self):
        folder, _ = self.libraries()
        with self.waiting("wait", library=folder / "libcallsign.so") as process:
            self.until("in MPI_Recv", "attach", str(process.pid))
            self.move_symbol(folder / FLAVOUR_LIBRARY)
            text = self.gdb("info mpi", "frame function main", "p rows", arguments=["-p", str(process.pid)])
        self.assertRegex(text, r'in MPI_Recv on 0x\w+ "rows"')
        self.assertRegex(text, r'\$1 = 0x\w+ "rows"')

    def test_stripped_program_and_library_show_names(self):
        folder, _ = self.libraries()
        program = self.folder / "stripped"
        shutil.copy(SHOWN, program)
        self.assertEqual(harness.run(["strip", program, folder / FLAVOUR_LIBRARY, folder / "libcallsign.so"]).code, 0)
        core = self.folder / "core"
        ask = ("mpi waiting", "info mpi comms", 'p $callsign_name($callsign_handle("rows", "comm"))', 'mpi where -comm $callsign_handle("rows", "comm")')
        with self.waiting("wait", program=program, library=folder / "libcallsign.so") as process:
            self.until("in MPI_Recv", "attach", str(process.pid))
            live = self.gdb(*ask, f"generate-core-file {core}", arguments=["-p", str(process.pid)])
        for text in (live, self.gdb(*ask, arguments=[program, core])):
            self.assertRegex(text, r'in MPI_Recv on 0x\w+ "rows", from rank 0, tag 99')
            self.assertRegex(text, r"0x\w+ +rows +0 of 1 +MPI_Comm_dup 0x\w+")
            self.assertIn('= "rows"', text)
            self.assertRegex(text, r'communicator 0x\w+ "rows"\n  created by MPI_Comm_dup')

    def test_core_with_a_table_of_another_layout_says_so(self):
        core = self.core()
        data = bytearray(core.read_bytes())
        at = data.find(DEBUG_MAGIC + struct.pack("<IH", DEBUG_BYTE_ORDER, DEBUG_MAJOR))
        struct.pack_into("<H", data, at + DEBUG.offsets["major"], DEBUG_MAJOR + 1)
        core.write_bytes(data)
        text = self.gdb("p *grid", "info mpi", arguments=[SHOWN, core])
        self.assertNotIn('"rows"', text)
        self.assertRegex(text, rf"\ncallsign: its live table has layout {DEBUG_MAJOR + 1}\.\d, this callsign reads {DEBUG_MAJOR}: use the callsign that was loaded there\n")

    def test_core_that_is_cut_off_is_told_in_a_line(self):
        core = self.core()
        table = core.read_bytes().find(DEBUG_MAGIC + struct.pack("<IH", DEBUG_BYTE_ORDER, DEBUG_MAJOR))
        os.truncate(core, table)
        text = self.gdb("info mpi", arguments=[SHOWN, core])
        self.assertIn("callsign: no live table here", text)


class Ranks(Session):
    @contextlib.contextmanager
    def waiting_ranks(self, count):
        """[number of the process of each rank], which wait for each other."""
        words = [*harness.launcher(count), CASES]
        extra = environment(self.folder, LD_PRELOAD=harness.LIBRARY, CALLSIGN_CONVERT="later")
        with open(self.folder / "said", "w+", encoding="utf-8") as said:
            launcher = bounded.start(words, env=extra, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT)
            try:
                yield [int(pid) for _, pid in sorted(self.said(count, said.name))]
            finally:
                bounded.end(launcher)

    def said(self, count, path):
        for _ in bounded.moments(30):
            with open(path, encoding="utf-8") as said:
                text = said.read()
            found = re.findall(r"rank (\d+) is process (\d+)\n", text)
            if len(found) == count:
                return found
        self.fail(f"the ranks did not begin: {text}")

    def test_members_are_those_of_the_journals_and_without_them_it_says_so(self):
        core = self.folder / "core"
        with self.waiting_ranks(4) as pids:
            self.until("in MPI_Recv", "attach", str(pids[3]))
            text = self.gdb("frame function main", "mpi members rows", "mpi members columns", "mpi members copy", f"generate-core-file {core}",
                            arguments=["-p", str(pids[3])])
        self.assertRegex(text, r'0x\w+ "rows": rank 1 of 2\n  world ranks 2-3')
        self.assertRegex(text, r'0x\w+ "columns": rank 1 of 2\n  world ranks 1,3')
        self.assertRegex(text, r'0x\w+ "copy of rows": rank 1 of 2\n  world ranks 2-3')
        for run in self.folder.glob("*.callsign"):
            shutil.rmtree(run)
        text = self.gdb("frame function main", "mpi members rows", "mpi where rows", arguments=[CASES, core])
        self.assertRegex(text, r'0x\w+ "rows": rank 1 of 2\n  its members are written in the journal of its first member, which is not here')
        self.assertIn("(the whole call stack is in the journal, which is not here)", text)


if __name__ == "__main__":
    unittest.main()
