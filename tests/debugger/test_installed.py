"""An installed callsign, as it is and stripped: the wrapper's frame has its arguments, and gdb finds the script by itself. lldb finds what was
installed too."""

import contextlib
import os
import pathlib
import subprocess
import unittest

import harness
from session import GDB, LLDB, Session, bounded, environment

BLOCKED = os.path.join(os.path.dirname(os.environ["CS_TEST_SHOWN"]), "blocked")
SHOW = ("-ex", "set width 0", "-ex", "set print frame-arguments all")
FRAME = r'MPI_Recv \(buf=.*, count=.*, datatype=.*, source=.*, tag=99, comm=0x\w+ "rows", status='
DECLINED = "auto-loading has been declined by your `auto-load safe-path'"
DATA = pathlib.Path("/usr/share/gdb")
BUILD = os.environ["CS_TEST_BUILD"]
LIB = os.path.relpath(os.path.dirname(harness.LIBRARY), BUILD)


class Installed(Session):
    def setUp(self):
        super().setUp()
        if not GDB:
            self.skipTest("there is no gdb here")
        self.prefix = (self.folder / "prefix").resolve()

    def install(self, *options):
        done = harness.run(["cmake", "--install", BUILD, "--prefix", self.prefix, *options])
        self.assertEqual(done.code, 0, done.stderr)
        (self.folder / "out").mkdir()

    @contextlib.contextmanager
    def blocked(self, *words, program=BLOCKED, call="MPI_Recv"):
        """A process of the program that has come to this call."""
        env = environment(self.folder / "out", LD_PRELOAD=str(self.prefix / LIB / "libcallsign.so"), CALLSIGN_CONVERT="later")
        process = bounded.start([program, *words], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in bounded.moments(20):
                if f"in {call} on" in harness.run([self.prefix / "bin/callsign", "attach", str(process.pid)]).stdout:
                    break
            yield process
        finally:
            process.kill()
            process.wait()

    def said(self, *words):
        done = harness.run([*words], environment(self.folder / "out", PYTHONDONTWRITEBYTECODE="1"), self.folder)
        self.assertNotIn("Traceback", done.stdout + done.stderr)
        return done.stdout + done.stderr

    def plain_gdb(self, *words):
        """gdb as it is started without callsign."""
        return self.said("gdb", "-batch", "-nx", *words)

    def frame_is_shown(self):
        with self.blocked() as process:
            text = self.backtrace(process, "frame function exchange", "p comm")
        self.assertRegex(text, FRAME)
        self.assertIn("$1 = <optimized out>", text)

    def backtrace(self, process, *commands):
        more = [word for command in commands for word in ("-ex", command)]
        return self.said(self.prefix / "bin/callsign", "gdb", "--", "-batch", "-nx", *SHOW, "-ex", "bt", *more, "-p", str(process.pid))

    def test_communicator_that_even_the_wrapper_has_dropped_is_shown(self):
        self.install()
        with self.blocked("both", call="MPI_Sendrecv") as process:
            self.assertRegex(self.backtrace(process), r'MPI_Sendrecv \(.*, comm=0x\w+ "rows", status=')

    def test_arguments_of_fortran_are_shown_by_value(self):
        if not os.path.exists(BLOCKED + "_fort"):
            self.skipTest(f"there is no compiler for Fortran: mpifort of {harness.FLAVOUR}")
        self.install()
        with self.blocked(program=BLOCKED + "_fort") as process:
            self.assertRegex(self.backtrace(process), r'mpi_recv_+ \(.*, count=1, .*source=0, tag=99, comm=0x\w+ "rows", status=')

    def test_frame_of_the_wrapper_shows_what_the_program_has_dropped(self):
        self.install()
        self.frame_is_shown()

    def test_frame_is_shown_by_a_stripped_installation_too(self):
        self.install("--strip")
        symbols = harness.run(["nm", self.prefix / LIB / harness.SERVED_BY])
        self.assertIn("no symbols", symbols.stdout + symbols.stderr)
        self.frame_is_shown()

    def test_lldb_shows_the_frame_too(self):
        if not LLDB:
            self.skipTest("there is no lldb here")
        self.install("--strip")
        with self.blocked() as process:
            text = self.said(self.prefix / "bin/callsign", "lldb", "--", "-b", "-x", "-o", "bt", "-o", "mpi waiting", "-p", str(process.pid))
        # lldb knows no values that the compiler dropped: those of MPI_Recv are kept or not by chance. callsign knows them.
        self.assertRegex(text, r'`MPI_Recv\(buf=.*, count=.*, datatype=.*, source=.*, tag=(99|<unavailable>), comm=(0x\w+ "rows"|<unavailable>), status=')
        self.assertRegex(text, r'in MPI_Recv on 0x\w+ "rows", from rank 0, tag 99, since .*, called from ')

    def test_library_brings_its_script_where_the_user_trusts_its_prefix(self):
        self.install("--strip")
        core = self.folder / "core"
        with self.blocked() as process:
            trusted = ("-iex", f"add-auto-load-safe-path {self.prefix}/{LIB}")
            self.assertRegex(self.plain_gdb(*trusted, *SHOW, "-ex", "bt", "-ex", f"generate-core-file {core}", "-p", str(process.pid)), FRAME)
            text = self.plain_gdb("-ex", "mpi waiting", "-p", str(process.pid))
        self.assertIn(f'"{self.prefix}/{LIB}/{harness.SERVED_BY}" {DECLINED}', text)
        self.assertIn("add-auto-load-safe-path", text)
        self.assertNotIn('"rows"', text)
        self.assertRegex(self.plain_gdb(*trusted, *SHOW, "-ex", "bt", BLOCKED, core), FRAME)

    def test_gdb_of_the_same_prefix_finds_the_script_by_itself(self):
        """Such a gdb: its data directory is below the prefix, and nothing else is trusted."""
        if not (DATA / "python").is_dir():
            self.skipTest(f"the data of gdb are not in {DATA}")
        self.install("--strip")
        for entry in DATA.iterdir():
            if not (self.prefix / "share/gdb" / entry.name).exists():
                (self.prefix / "share/gdb" / entry.name).symlink_to(entry)
        with self.blocked() as process:
            text = self.plain_gdb(f"--data-directory={self.prefix}/share/gdb", *SHOW, "-ex", "bt", "-p", str(process.pid))
        self.assertRegex(text, FRAME)


if __name__ == "__main__":
    unittest.main()
