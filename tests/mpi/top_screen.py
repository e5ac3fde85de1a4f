"""callsign top in a real terminal, tmux, beside programs that run. tests/cli/test_top.py presses keys at random."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import unittest

import harness

LJ = """units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 10 0 10 0 10
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
fix 1 all nve
run 10000000
"""


class Terminal:
    """tmux with one window, in which callsign top runs."""

    def __init__(self, folder, run, size=(80, 24)):
        self.words = ["tmux", "-u", "-S", str(folder / "tmux"), "-f", os.devnull]
        environment = {**harness.base_environment(), "LC_ALL": "C.UTF-8"}
        command = f"TERM=screen exec {harness.COMMAND} top {run}"
        harness.run([*self.words, "new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), command], environment)

    def ask(self, *words):
        return harness.run([*self.words, *words]).stdout

    def screen(self):
        return self.ask("capture-pane", "-p")

    def wait_for(self, pattern, seconds=20):
        for _ in harness.bounded.moments(seconds, pause=0.1):
            if re.search(pattern, self.screen()):
                break
        return self.screen()

    def press(self, key, pattern):
        self.ask("send-keys", key)
        return self.wait_for(pattern)


@unittest.skipUnless(shutil.which("tmux"), "tmux is not installed")
class Screen(unittest.TestCase):
    @contextlib.contextmanager
    def watched(self, folder, np, *program):
        """(terminal, pids of the ranks by rank) of a program that runs."""
        words = [*harness.launcher(np), *map(str, program)]
        job = harness.bounded.start(words, env=harness.base_environment(**harness.recording(folder)), cwd=folder, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        terminal = None
        try:
            for _ in harness.bounded.moments(60, pause=0.1):
                runs = harness.run_folders(folder)
                if runs and len(list(runs[0].glob("rank-*.journal"))) == np:
                    break
            terminal = Terminal(folder, runs[0])
            yield terminal
        finally:
            if terminal:
                terminal.ask("kill-server")
            harness.bounded.end(job)

    def look_at(self, np, *program, communicator):
        """Goes through the pages of a program, and quits."""
        with harness.workspace() as folder:
            (folder / "in.lj").write_text(LJ)
            with self.watched(folder, np, *program) as terminal:
                self.assertRegex(terminal.wait_for(rf"{communicator}.*\d%"), rf"(?m)^{np} ranks; ")
                ranks = terminal.press("2", r"rank +MPI +calls/s")
                self.assertEqual(len(re.findall(r"(?m)^ +\d+ +\d+\.\d%", ranks)), min(np, 17), ranks)
                self.assertIn("thread 0", terminal.press("Enter", "thread 0"))
                terminal.press("q", r"rank +MPI +calls/s")
                terminal.ask("resize-window", "-x", "120", "-y", "40")
                wide = terminal.press("1", r"function +MPI")
                self.assertEqual((len(wide.splitlines()), wide.splitlines()[-1][:6]), (40, "q quit"), wide)
                terminal.ask("send-keys", "q")
                for _ in harness.bounded.moments(20):
                    if not terminal.ask("list-sessions"):
                        break
                self.assertEqual(terminal.ask("list-sessions"), "")

    def test_leak_and_stopped_rank_are_on_the_screen(self):
        with harness.workspace() as folder, self.watched(folder, 4, os.path.join(harness.PROGRAMS, "leaking"), 100000) as terminal:
            leak = r"datatype +leak .*leaking\.c:\d+ +\d+ +\+[1-9]"
            screen = terminal.wait_for(leak)
            for line in (r"MPI_COMM_WORLD +\d+\.\d% +\d+% \(1\)", r"halves +", r"MPI_Allreduce +\d+\.\d% +\d+% \(1\)", r"main leaking\.c:\d+ +",
                         leak, "MPI by rank "):
                self.assertRegex(screen, line)
            terminal.press("2", r"rank +MPI +calls/s")
            (run,) = harness.run_folders(folder)
            row = json.loads(harness.run([harness.COMMAND, "top", run, "--once", "--json"]).stdout)
            (pid,) = [rank["pid"] for rank in row["rank"] if rank["rank"] == 1]
            os.kill(pid, signal.SIGSTOP)
            try:
                screen = terminal.wait_for(r"(?m)^ +1 .* stopped ", seconds=2.5)  # two intervals, and a drawing
                self.assertRegex(screen, r"(?m)^ +1 .* stopped ")
                screen = terminal.wait_for("All ranks but 1 have been in a call")
                self.assertRegex(" ".join(screen.split()), r"All ranks but 1 have been in a call for a second or longer")
                self.assertRegex(screen, r"MPI by rank \S!\S\S")
            finally:
                os.kill(pid, signal.SIGCONT)

    def test_four_and_sixty_four_ranks(self):
        for np in (4, 64):
            with self.subTest(np):
                self.look_at(np, os.path.join(harness.PROGRAMS, "leaking"), 100000, communicator="halves")

    def test_programs_of_others(self):
        for name, arguments in (("hpcc", ()), ("lmp", ("-in", "in.lj"))):
            with self.subTest(name):
                program = shutil.which(name)
                if not program or harness.FLAVOUR != "openmpi":
                    self.skipTest(f"{name} is not installed, or not for this MPI")
                self.look_at(2, program, *arguments, communicator="MPI_COMM_WORLD")


if __name__ == "__main__":
    unittest.main()
