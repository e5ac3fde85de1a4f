"""Programs under gdb and lldb, processes that wait, cores that gdb wrote."""

import atexit
import contextlib
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "mpi"))
import harness  # noqa: E402  (the path must be set first)
from harness import bounded  # noqa: E402

SHOWN = os.environ.get("CS_TEST_SHOWN", "")
DEBUGGER = pathlib.Path(os.environ.get("CS_TEST_DEBUGGER", ""))
GDB, LLDB = shutil.which("gdb"), shutil.which("lldb")
sys.path.insert(0, str(DEBUGGER))


# Limits for a table of 100,000 objects. Measured: 9 reads for a lookup, 1,597 for the table.
LOOKUP_READS, TABLE_READS = 20, 5000

STOP = ("breakpoint set -n stop_here", "run")  # commands of lldb


def environment(folder, **more):
    return harness.base_environment(CALLSIGN_OUTPUT=str(folder), LC_ALL="C.UTF-8", **more)


@functools.cache
def kept():
    """A folder of what several tests of a module share."""
    workspace = harness.workspace()
    atexit.register(workspace.cleanup)
    return pathlib.Path(workspace.name)


class Session(unittest.TestCase):
    """A test with a folder of its own. SCREENS of a class are commands for the program where it has stopped, by a name: one session of the
    debugger answers them all, because its start takes longer than all that they ask."""

    maxDiff = None
    SCREENS = {}

    def setUp(self):
        workspace = harness.workspace()
        self.folder = workspace.__enter__()
        self.addCleanup(workspace.__exit__, None, None, None)

    def check_reads(self, text, before):
        """`text` is the output of reads.py and, after `before`, a datatype that was freed, in the program `many`."""
        reads = {what: float(count) for what, count in re.findall(r"(\w+) ([\d.]+) reads", text)}
        self.assertIn("lines 100000\n", text)  # one is freed, and the titles
        self.assertRegex(text, before + r'0x\w+ "vector\(4,2,85\) of MPI_DOUBLE" FREED')
        self.assertLess(reads["lookup"], LOOKUP_READS)
        self.assertLess(reads["table"], TABLE_READS)

    def gdb(self, *commands, arguments=(), program=SHOWN, before=()):
        """The output of gdb for these commands; `arguments` come after its own."""
        if not GDB:
            self.skipTest("there is no gdb here")
        words = [harness.COMMAND, "gdb", "--", "-batch", "-nx", *before, "-ex", "set width 0", "-ex", "set print frame-arguments all"]
        for command in commands:
            words += ["-ex", command]
        done = harness.run([*words, *(arguments or [program])], environment(self.folder), self.folder)
        self.assertNotIn("Python Exception", done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stdout + done.stderr)
        return done.stdout + done.stderr

    def lldb(self, *commands, arguments=(), program=SHOWN, before=()):
        """The output of lldb for these commands. It exits at the first failing one."""
        if not LLDB:
            self.skipTest("there is no lldb here")
        words = [harness.COMMAND, "lldb", "--", "-b", "-x", *before]
        for command in commands:
            words += ["-o", command]
        done = harness.run([*words, *(arguments or [program])], environment(self.folder), self.folder)
        self.assertNotIn("Traceback", done.stdout + done.stderr)
        return done.stdout + done.stderr

    def stopped(self, *commands, before=()):
        """The output of gdb in the program at the point where it shows its handles."""
        return self.gdb("break stop_here", "run", *commands, before=before)

    def taken(self, debugger, *before, mark, **options):
        """{name: what the debugger says} of SCREENS. before: stop the program; mark: the command that prints a text."""
        if "screens" not in vars(type(self)):
            words = [word for name, commands in self.SCREENS.items() for word in (*mark(f"#### {name}"), *commands)]
            _, *texts, errors = re.split("(?m)^#### .*\n", debugger(*before, *words, *mark("#### errors"), **options))
            self.assertEqual(len(texts), len(self.SCREENS), texts)
            type(self).screens = {name: text + errors for name, text in zip(self.SCREENS, texts)}
        return self.screens

    def gdb_screen(self, name, **options):
        """The output of gdb for the commands of SCREENS."""
        return self.taken(self.gdb, "break stop_here", "run", mark=lambda text: ("frame 0", f"echo {text}\\n"), **options)[name]

    def lldb_screen(self, name):
        """The output of lldb for the commands of SCREENS."""
        return self.taken(self.lldb, "breakpoint set -n stop_here", "run", mark=lambda text: ("frame select 0", f"script print('{text}')"))[name]

    def core(self, *before):
        """A core of the program at that place: a copy of the one that all tests share, or another with more commands before."""
        folder, own = self.folder if before else kept(), self.folder
        made = folder / "core"
        if not made.exists():
            self.folder = folder
            self.stopped(*before, f"generate-core-file {made}")
            self.folder = own
        self.assertTrue(made.exists())
        return made if before else pathlib.Path(shutil.copy(made, own / "core"))

    def core_of_the_kernel(self, words="crash", program=SHOWN):
        """A core that the kernel left when the program was ended by a signal."""
        with open("/proc/sys/kernel/core_pattern", encoding="utf-8") as file:
            pattern = file.read().strip()
        if pattern.startswith("|") or "/" in pattern:
            self.skipTest(f"the kernel puts cores elsewhere: {pattern}")
        env = environment(self.folder, LD_PRELOAD=harness.LIBRARY)
        harness.run(["sh", "-c", f"ulimit -c unlimited; exec {program} {words}"], env, self.folder)
        cores = sorted(self.folder.glob("core*"))
        if not cores:
            self.skipTest("the kernel left no core")
        return cores[0]

    def own_libraries(self):
        """Stripped copies of callsign's libraries, in a folder that the test may change."""
        folder, flavour = self.folder / "lib", harness.SERVED_BY
        folder.mkdir()
        for name in ("libcallsign.so", flavour, "libcallsign-unwind.so"):
            shutil.copy(pathlib.Path(harness.LIBRARY).parent / name, folder)
        self.assertEqual(harness.run(["strip", folder / flavour]).code, 0)
        return folder

    def callsign(self, *words):
        return harness.run([harness.COMMAND, *words], environment(self.folder), self.folder)

    def refused(self, saying, *words):
        """One line on stderr with these words, exit code 1."""
        done = self.callsign(*words)
        self.assertEqual((done.code, done.stdout, len(done.stderr.splitlines())), (1, "", 1), done.stderr)
        self.assertRegex(done.stderr, r"^callsign: .*" + saying)

    @contextlib.contextmanager
    def waiting(self, *words, program=SHOWN, library=harness.LIBRARY):
        """A process that waits until it is ended."""
        env = environment(self.folder, LD_PRELOAD=str(library), CALLSIGN_CONVERT="later")
        process = bounded.start([program, *words], env=env, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    def until(self, text, *words):
        """The output of a command when this is in it."""
        for _ in bounded.moments(20):
            done = self.callsign(*words)
            if text in done.stdout:
                return done.stdout
        self.fail(f"{text!r} never came: {done.stdout}{done.stderr}")
