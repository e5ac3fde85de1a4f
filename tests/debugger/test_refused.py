"""Subjects that `callsign core` and `callsign attach` cannot show: one line says so, and the exit code is 1. test_reader.py has more cases."""

import contextlib
import os
import shutil
import struct
import subprocess
import sys
import unittest

import harness
from session import DEBUGGER, GDB, SHOWN, Session, bounded  # sets the path of the package

from callsign_debugger.layout import DEBUG_MAGIC, DEBUG_MAJOR

# A process of which the memory holds a table of another layout; it says so, and waits.
OTHER_LAYOUT = """
import ctypes, time
from callsign_debugger.layout import DEBUG, DEBUG_BYTE_ORDER, DEBUG_MAGIC, DEBUG_MAJOR, RECORD
table = ctypes.create_string_buffer(DEBUG.bytes)
table.raw = DEBUG.pack(magic=DEBUG_MAGIC, byte_order=DEBUG_BYTE_ORDER, major=DEBUG_MAJOR + 1, minor=7, header_bytes=DEBUG.bytes,
                       record_bytes=RECORD.bytes, self=ctypes.addressof(table))
print("ready", flush=True)
time.sleep(600)
"""


class Files(Session):
    def test_files_that_are_no_cores_are_refused(self):
        (self.folder / "empty").touch()
        self.refused("empty is empty: was there room for the core, and did ulimit -c allow its size", "core", "empty")
        self.refused(r"\. is no core file", "core", ".")
        self.refused("/dev/zero is no core file", "core", "/dev/zero")

    def test_pipe_is_refused_at_once(self):
        """Nobody ever writes to it."""
        os.mkfifo(self.folder / "pipe")
        done = bounded.run([harness.COMMAND, "core", self.folder / "pipe"], timeout=20, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr.splitlines()), (1, [f"callsign: {self.folder}/pipe is no core file"]))

    def test_name_of_a_file_cannot_change_the_screen(self):
        (self.folder / "red\033[31m\n").write_text("no core", encoding="utf-8")
        self.refused(r"red\\e\[31m\\n is no core file", "core", "red\033[31m\n")

    def test_core_without_callsign_is_refused(self):
        if not GDB:
            self.skipTest("there is no gdb here")
        core = self.folder / "core"
        done = harness.run([GDB, "-batch", "-nx", "-ex", "starti", "-ex", f"generate-core-file {core}", "-ex", "kill", "/bin/true"])
        self.assertTrue(core.exists(), done.stdout + done.stderr)
        self.refused("no live table of callsign is in it; was the program run with callsign, and did it call MPI", "core", str(core))

    def test_endless_segments_are_not_searched(self):
        """A core with damage: no table, and a header that speaks of petabytes."""
        path = self.core()
        data = bytearray(path.read_bytes())
        while DEBUG_MAGIC in data:
            data[data.find(DEBUG_MAGIC)] = 0
        headers, = struct.unpack_from("<Q", data, 32)
        last = max(number for number in range(struct.unpack_from("<H", data, 56)[0]) if struct.unpack_from("<I", data, headers + 56 * number)[0] == 1)
        struct.pack_into("<Q", data, headers + 56 * last + 40, 1 << 56)
        path.write_bytes(data)
        self.refused("no live table of callsign is in it", "core", str(path))
        text = self.gdb("bt", "info mpi", arguments=[SHOWN, path])
        self.assertIn("callsign: no live table here", text)

    def test_another_users_core_is_refused(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become another user")
        package = shutil.copytree(DEBUGGER, self.folder / "debugger")
        self.folder.chmod(0o755)
        core = self.folder / "core"
        core.write_bytes(b"")
        core.chmod(0o600)
        done = harness.run(["setpriv", "--reuid=65534", "--clear-groups", "/usr/bin/python3", "-I", "-B", package, "core", core])
        self.assertEqual((done.code, done.stderr), (1, f"callsign: {core}: Permission denied\n"))


class Processes(Session):
    @contextlib.contextmanager
    def python(self, text):
        """A process that runs this, and has said that it is ready."""
        process = bounded.start([sys.executable, "-B", "-c", text], stdout=subprocess.PIPE, env=harness.base_environment(PYTHONPATH=str(DEBUGGER)))
        try:
            self.assertEqual(process.stdout.readline(), b"ready\n")
            yield process
        finally:
            process.kill()
            process.communicate()

    def test_table_of_another_layout_is_refused(self):
        with self.python(OTHER_LAYOUT) as process:
            self.refused(rf"its live table has layout {DEBUG_MAJOR + 1}\.7, this callsign reads {DEBUG_MAJOR}: use the callsign that was loaded there", "attach", str(process.pid))

    def test_reserved_memory_is_not_searched(self):
        """A terabyte (MAP_NORESERVE), as a sanitizer or a fast network has it."""
        reserves = "import mmap, time; kept = mmap.mmap(-1, 1 << 40, mmap.MAP_PRIVATE | 0x4000); print('ready', flush=True); time.sleep(600)"
        with self.python(reserves) as process:
            done = bounded.run([harness.COMMAND, "attach", str(process.pid)], timeout=20, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "^callsign: process .*: no live table of callsign is in it")

    def test_process_that_has_ended_is_refused(self):
        process = bounded.start(["true"])
        try:
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and is there still
            self.refused(f"(process {process.pid} has no memory any more: it has ended|there is no process)", "attach", str(process.pid))
        finally:
            process.wait()
        self.refused("there is no process 0 here", "attach", "0")

    def test_process_that_forbids_to_be_read_is_refused(self):
        """Its own user may not either, as with kernel.yama.ptrace_scope."""
        if os.geteuid() != 0:
            self.skipTest("only root can become another user")
        package = shutil.copytree(DEBUGGER, self.folder / "debugger")
        self.folder.chmod(0o755)
        as_nobody = ["setpriv", "--reuid=65534", "--clear-groups", "--inh-caps=-all"]
        forbids = "import ctypes, time; ctypes.CDLL(None).prctl(4, 0, 0, 0, 0); print('ready', flush=True); time.sleep(600)"
        process = bounded.start([*as_nobody, "/usr/bin/python3", "-I", "-B", "-c", forbids], stdout=subprocess.PIPE)
        try:
            self.assertEqual(process.stdout.readline(), b"ready\n")
            done = harness.run([*as_nobody, "/usr/bin/python3", "-I", "-B", package, "attach", str(process.pid)])
        finally:
            process.kill()
            process.communicate()
        self.assertEqual((done.code, len(done.stderr.splitlines())), (1, 1), done.stderr)
        self.assertRegex(done.stderr, "may not be read: it is another user's, or kernel.yama.ptrace_scope forbids it")


if __name__ == "__main__":
    unittest.main()
