"""`callsign core` and `callsign attach`: the reader without a debugger. And what it does with memory that is not as it should be."""

import os
import pathlib
import random
import re
import resource
import shutil
import signal
import struct
import types
import unittest

import harness
from session import Session, bounded  # sets the path of the package

from callsign_debugger import detail, modules, show
from callsign_debugger.core import Core
from callsign_debugger.layout import (DEBUG, DEBUG_BYTE_ORDER, DEBUG_MAGIC, DEBUG_MAJOR, DETAIL_KEY_WORDS, JOURNAL_DETAIL, OBJECT_PREDEFINED, RECORD, REQUESTS,
                                      THREAD)
from callsign_debugger.locate import locate
from callsign_debugger.memory import Memory, Trouble, Unreadable
from callsign_debugger.process import Process
from callsign_debugger.table import Table
from callsign_debugger.words import KIND_NUMBER, number_of


class Damaged(Memory):
    """A core of which some bytes of the table are others."""

    def __init__(self, core, changes):
        self.core, self.changes, self.reads = core, changes, 0

    def fetch(self, address, size):
        self.reads += 1
        data = bytearray(self.core.fetch(address, size))
        for place, byte in self.changes.items():
            if address <= place < address + size:
                data[place - address] = byte
        return bytes(data)

    def where(self, address):
        return self.core.where(address)


class Cores(Session):
    def test_core_tells_calls_requests_and_objects(self):
        done = self.callsign("core", str(self.core()))
        self.assertEqual((done.code, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"process \d+: rank 0 of 1 in MPI_COMM_WORLD")
        self.assertRegex(done.stdout, r'its last call was MPI_Irecv on 0x\w+ "rows", from rank 0, tag 7, called from main shown\.c:\d+')
        self.assertRegex(done.stdout, r'MPI_Irecv on 0x\w+ "rows", from rank 0, tag 7 +main shown\.c:\d+')
        self.assertRegex(done.stdout, r"communicator +0x\w+ +rows +0 of 1 +MPI_Comm_dup main shown\.c:\d+")
        self.assertRegex(done.stdout, r"datatype +0x\w+ +contiguous\(3\) of vector\(4,2,8\) of MPI_DOUBLE +192 B")
        self.assertNotIn("temporary", done.stdout)
        self.assertNotIn("\033[31m", done.stdout)

    def test_core_of_the_kernel_tells_the_last_call(self):
        done = self.callsign("core", str(self.core_of_the_kernel()))
        self.assertEqual((done.code, done.stderr), (0, ""))
        self.assertIn("ended by signal 6", done.stdout)
        self.assertRegex(done.stdout, r'its last call was MPI_Irecv on 0x\w+ "rows", from rank 0, tag 7')

    def test_what_is_no_core_is_refused(self):
        (self.folder / "text").write_text("no core", encoding="utf-8")
        self.refused("is no core file", "core", "text")
        self.refused("is an ELF file but no core", "core", "/proc/self/exe")
        self.refused("No such file", "core", "absent")
        self.refused("Is a directory|is no core", "core", ".")

    def test_core_that_is_cut_off_says_so(self):
        core = self.core()
        whole = core.read_bytes()
        (self.folder / "head").write_bytes(whole[:100])
        self.refused("cut off or damaged", "core", "head")
        address = locate(Core(str(core)))
        place = next(offset + address - begin for begin, size, offset, _ in Core(str(core)).segments if begin <= address < begin + size)
        (self.folder / "half").write_bytes(whole[:place])
        self.refused("is cut off, .* bytes are missing at its end: no live table", "core", "half")

    def test_table_of_another_layout_is_refused(self):
        core = self.core()
        data = bytearray(core.read_bytes())
        at = data.find(DEBUG_MAGIC + struct.pack("<IH", DEBUG_BYTE_ORDER, DEBUG_MAJOR)) + DEBUG.offsets["major"]
        data[at:at + 2] = struct.pack("<H", DEBUG_MAJOR + 1)
        core.write_bytes(data)
        self.refused(rf"its live table has layout {DEBUG_MAJOR + 1}\.\d, this callsign reads {DEBUG_MAJOR}", "core", str(core))

    def test_damaged_tables_neither_crash_nor_hang(self):
        core = Core(str(self.core()))
        address = locate(core)
        table = Table(core, address)
        places = [(address + DEBUG.offsets["epoch"], DEBUG.bytes - DEBUG.offsets["epoch"]), (table.segment(0)[0], table.header.records * RECORD.bytes), (table.header.index, 512),
                  (table.header.threads, THREAD.bytes), (table.header.requests, REQUESTS.bytes), (table.header.constants, 512)]
        chance = random.Random(5)
        for _ in range(150):
            begin, size = chance.choice(places)
            changes = {begin + chance.randrange(size): chance.choice((0, 1, 0x7f, 0x80, 0xff, chance.randrange(256))) for _ in range(chance.choice((1, 8)))}
            memory = Damaged(core, changes)
            try:
                damaged = Table(memory, address)
                if damaged.header:
                    lines = show.whole(damaged) + show.info(damaged, "all")
                    self.assertFalse(any(ord(letter) < 32 for line in lines for letter in line), changes)
            except (Trouble, Unreadable) as expected:
                self.assertTrue(str(expected), changes)


class Placed(Session):
    """programs/placed.c: a part of its file is mapped twice."""

    PROGRAM = os.path.join(os.path.dirname(os.environ.get("CS_TEST_SHOWN", "")), "placed")

    @staticmethod
    def line(text):
        """placed.c:N of the line that has this text."""
        source = pathlib.Path(__file__).with_name("programs") / "placed.c"
        number, = (number for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1) if text in line)
        return f"placed.c:{number}"

    def crashed(self, words, program=PROGRAM):
        done = self.callsign("core", str(self.core_of_the_kernel(words, program)))
        self.assertEqual((done.code, done.stderr), (0, ""))
        return done.stdout

    def attached(self, words, call):
        with self.waiting(words, program=self.PROGRAM) as process:
            return self.until(call, "attach", str(process.pid))

    def test_wait_for_a_receive_tells_from_whom_and_where(self):
        text = self.attached("receive", "in MPI_Waitall")
        self.assertRegex(text, rf"in MPI_Waitall on MPI_COMM_WORLD, from rank 0, tag 5, since .*, called from main {self.line('MPI_Waitall')}\n")
        self.assertRegex(text, rf"MPI_Irecv on MPI_COMM_WORLD, from rank 0, tag 6 +main {self.line('0, 6')}\n")
        self.assertNotIn("root", text)

    def test_wait_for_a_send_tells_to_whom(self):
        text = self.attached("send", "in MPI_Wait ")
        self.assertRegex(text, r"in MPI_Wait on MPI_COMM_WORLD, to rank 0, tag 5, since ")
        self.assertNotIn("root", text)

    def test_wait_that_is_over_tells_from_whom(self):
        text = self.crashed("sent")
        self.assertRegex(text, r"its last call was MPI_Wait on MPI_COMM_WORLD, from rank 0, tag 5, called from main placed\.c:\d+\n")
        self.assertIn("ended by signal 6 (SIGABRT)\n", text)

    def test_core_tells_where_the_program_was(self):
        """Lines; and once the program is another build, addresses in its own numbering, as addr2line takes them."""
        program = shutil.copy(self.PROGRAM, self.folder / "placed")
        core = self.core_of_the_kernel("fault", program)
        text = self.callsign("core", str(core)).stdout
        self.assertIn("ended by signal 11 (SIGSEGV) at address 0x18\n", text)
        self.assertRegex(text, rf"(?m)^It was at fault_here {self.line('the fault')}, in thread \d+: outside MPI since .*; its last call was "
                               rf"MPI_Bcast on MPI_COMM_WORLD, root rank 0, called from main {self.line('MPI_Bcast')}$")
        symbols = harness.run(["nm", "-S", program]).stdout
        begin, size = next((int(words[0], 16), int(words[1], 16)) for words in map(str.split, symbols.splitlines()) if words[-1] == "fault_here")
        shutil.copy(os.path.join(os.path.dirname(self.PROGRAM), "many"), program)
        text = self.callsign("core", str(core)).stdout
        address = int(re.search(r"It was at placed\+0x([0-9a-f]+), in thread", text)[1], 16)
        self.assertTrue(begin <= address - 1 < begin + size, text)
        self.assertNotIn("placed.c:", text)  # the name of the folder may begin with placed.c

    def test_core_tells_that_the_program_went_astray(self):
        text = self.crashed("astray")
        self.assertRegex(text, r"ended by signal 11 \(SIGSEGV\) at address 0x10\nIt was at 0x10, where no code is, in thread \d+: ")

    def test_signal_from_another_process_is_told(self):
        with open("/proc/sys/kernel/core_pattern", encoding="utf-8") as file:
            if file.read().strip() != "core":
                self.skipTest("the kernel puts cores elsewhere")
        with self.waiting("receive", program=self.PROGRAM) as process:
            resource.prlimit(process.pid, resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            self.until("in MPI_Waitall", "attach", str(process.pid))
            process.send_signal(signal.SIGQUIT)
            process.wait(harness.TIMEOUT)
        core, = self.folder.glob("core*")
        text = self.callsign("core", str(core)).stdout
        self.assertRegex(text, rf"ended by signal 3 \(SIGQUIT\), sent by process {os.getpid()}\nIt was at .*, in thread {process.pid}: in MPI_Waitall on MPI_COMM_WORLD, "
                               rf"from rank 0, tag 5, since .*, called from main {self.line('MPI_Waitall')}\n")


class Lines(unittest.TestCase):
    def lines(self, command):
        lines = modules.Lines(command)
        self.addCleanup(lines.close)
        return lines

    def test_command_that_ends_or_is_not_there_leaves_addresses(self):
        for command in ("true", "/nowhere/callsign"):
            lines = self.lines(command)
            self.assertEqual([lines.of(b"/program", "", 4711) for _ in range(3)], [None] * 3)

    def test_path_that_is_too_long_leaves_addresses(self):
        lines = self.lines(harness.COMMAND)
        self.assertEqual(lines.of(b"/bin/none", "", 0x4711), b"none+0x4711")
        self.assertIsNone(lines.of(b"/" + 5000 * b"a", "", 4711))
        self.assertIsNone(lines.of(b"/bin/none", "", 4711))


class Version(unittest.TestCase):
    def test_version_of_the_mpi_has_no_half_words(self):
        def shown(text):
            return show.mpi_text(text[:63].ljust(64, b"\0"))
        self.assertEqual(shown(b"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, May 26, 2022"), b"Open MPI v4.1.4")
        self.assertEqual(shown(b"MPICH Version:\t4.0.2"), b"MPICH Version: 4.0.2")
        self.assertEqual(shown(b"An MPI Library with a rather long name for people who like words"), b"An MPI Library with a rather long name for people who like ...")


class Live(Session):
    def test_process_that_waits_is_read_while_it_runs(self):
        with self.waiting("wait") as process:
            text = self.until("in MPI_Recv", "attach", str(process.pid))
            self.assertIsNone(process.poll())
            with open(f"/proc/{process.pid}/status", encoding="utf-8") as status:
                self.assertNotIn("TracerPid:\t1", status.read())
        self.assertRegex(text, r'in MPI_Recv on 0x\w+ "rows", from rank 0, tag 99, since [\d.]+ (us|ms|s), called from main shown\.c:\d+')
        self.assertRegex(text, r"communicator +0x\w+ +rows +0 of 1")

    def test_length_of_a_wait_is_right(self):
        with self.waiting("wait") as process:
            text = self.until("in MPI_Recv", "attach", str(process.pid))
            text = self.until(" s, called", "attach", str(process.pid))
        self.assertRegex(text, r"since (\d\.\d|1\d\.\d|2\d\.\d) s")

    def test_processes_that_cannot_be_shown_are_refused(self):
        sleeper = bounded.start(["sleep", "60"])
        try:
            self.refused("no live table of callsign is in it", "attach", str(sleeper.pid))
        finally:
            sleeper.kill()
            sleeper.wait()
        self.refused("there is no process 999999999 here", "attach", "999999999")
        self.refused("is no number of a process", "attach", "hello")

    def test_another_users_process_is_refused(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become another user")
        package = shutil.copytree(os.environ["CS_TEST_DEBUGGER"], self.folder / "debugger")
        self.folder.chmod(0o755)
        with self.waiting("wait") as process:
            done = harness.run(["setpriv", "--reuid=65534", "--clear-groups", "/usr/bin/python3", "-I", "-B", package, "attach", str(process.pid)])
        self.assertEqual((done.code, len(done.stderr.splitlines())), (1, 1), done.stderr)
        self.assertRegex(done.stderr, "may not be read: it is another user's, or kernel.yama.ptrace_scope forbids it")


class Changing(Session):
    def test_no_name_is_wrong_while_the_program_makes_names_and_frees(self):
        """Read without stopping it, many times; test_campaigns.py does so for longer. A name says how large its datatype is, six times."""
        wrong, names, amid = [], 0, 0
        with self.waiting(program=os.path.join(os.path.dirname(os.environ["CS_TEST_SHOWN"]), "churning")) as process:
            self.until("MPI_Type_", "attach", str(process.pid))
            memory = Process(process.pid)
            address = locate(memory)
            for _ in range(40):
                table = Table(memory, address)
                amid += table.header.epoch % 2
                for record in table.records({KIND_NUMBER["datatype"]}, freed=True):
                    name = table.given_name(record).decode()
                    names += bool(name)
                    if name and not record.flags & OBJECT_PREDEFINED and name != f"{record.bytes}." * 6:
                        wrong.append((name, record))
            self.assertIsNone(process.poll())
        self.assertEqual(wrong, [])
        self.assertGreater(names, 2000)


class Names(Session):
    def test_names_of_datatypes_are_those_of_the_trace(self):
        """Composed in Python from the same details as in C."""
        text = self.stopped("info mpi types", "continue")
        shown = {line.split("  ")[1].strip() for line in text.splitlines() if line.startswith("0x")}
        (run,) = self.folder.glob("*.callsign")
        harness.convert(run)
        (path,) = run.glob("*.db")
        with harness.open_trace(path) as trace:
            told = {name for name, in trace.execute("SELECT name FROM object WHERE kind = 'datatype' AND name_origin = 'derived'")}
        self.assertGreater(len(told), 10)
        self.assertEqual(told, shown)


class Structures(unittest.TestCase):
    """Names of structures that hold each other again and again."""

    class Deep(Table):
        """Number 1 is MPI_INT; each other one holds the former three times, with MPI_INT between them."""

        def __init__(self, first):
            self.made_names, self.first = {}, first

        def given_name(self, record):
            return b"MPI_INT" if record.id == 1 else b""

        def function_property(self, number, word):
            return {"shape": "struct,count"}[word]

        def numbered(self, number):
            return types.SimpleNamespace(id=number, kind=KIND_NUMBER["datatype"], origin=0, function=1, parent=0)

        def detail(self, record):
            inner = record.id - 1 if record.id > 2 else self.first
            values = struct.pack("<6q", 5, inner, 1, inner, 1, inner)
            items = (("count", detail.INTEGER, struct.pack("<q", 5)), ("types", detail.OBJECTS, values))
            return b"".join(JOURNAL_DETAIL.pack(key=number_of(DETAIL_KEY_WORDS, key), form=form, bytes=len(content)) + content for key, form, content in items)

    def test_forty_levels_are_named_at_once(self):
        table = self.Deep(first=1)
        name = table.name(table.numbered(40))
        self.assertRegex(name, r"^(struct\(5\) of ){10}.*\.\.\.$")
        self.assertLess(len(name), 256)
        self.assertEqual(table.name(table.numbered(2)), "struct(5) of MPI_INT")
        self.assertEqual(table.name(table.numbered(3)), "struct(5) of struct(5) of MPI_INT, MPI_INT, struct(5) of MPI_INT, MPI_INT, ...")

    def test_circle_has_an_end(self):
        table = self.Deep(first=40)
        self.assertRegex(table.name(table.numbered(40)), r"^(struct\(5\) of ){10}")


if __name__ == "__main__":
    unittest.main()
