"""The tutorial and the README are run as they are written: every command, and all that they show of its output but figures of time and place."""

import os
import pathlib
import re
import shlex
import shutil
import socket
import subprocess
import textwrap
import unittest

import harness

TREE = pathlib.Path(__file__).resolve().parents[2]
TABLES_AT = "80"  # columns of the terminal in the documents

# What differs from run to run and from machine to machine.
VARIABLE = (
    (r"heat\.\w{8}\.callsign", "RUN"), (r"\S*/(?=RUN)", ""), (r"Open MPI v[\d.]+|MPICH(?: Version:)? [\d.]+", "MPI"), (r"0x[0-9a-f]+", "HANDLE"),
    (r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "DATE"), (r"\b(pid|process|thread) \d+", r"\1 ID"), (r"(thread ID: in .*, from rank) \d", r"\1 R"), (r"\b\d of 4\b", "R of 4"), (r"[\d.]+ %", "SHARE"), (r"(to SHARE) \(rank \d\)", r"\1 (rank R)"),
    (r"(?:\d+ (?:h|min) )?[\d.]+ (?:s|ms|us|ns)\b", "TIME"), (r"[\d.]+ [KM]iB", "SIZE"), (r"\b\d+\.\d+(?:e-\d+)?", "NUMBER"), (r"(?: \d+){4} 40\b", " LIVE"), (r"─+", "-"))

# In place of a fixed pause the test waits until what follows can be seen, and of all programs called heat it takes its own.
PATIENTLY = "for i in $(seq 300); do callsign hang 2>/dev/null | grep -q Deadlock && break; sleep 0.2; done"
OWN_PROCESSES = 'for process in /proc/[0-9]*; do [ "$(readlink $process/exe)" = "$PWD/heat" ] && found=${process#/proc/}; done; echo $found'


# Sentences that depend on the cores of the machine: why.py has them.
OF_CORES = re.compile(r"All ranks wait SHARE of their time for a core(, mostly in MPI)?(: \d+ ranks on \d+ cores)?(\. Beside a rank, \S+ threads of its node are busy on average)? ?|"
                      r"(All ranks wait|Rank \d+ is late in)((?!the others? wait).)*?: report why ?")


# Times of minutes are wider: the table of the report balance then hides a column. Any rank may need most memory.
OF_WIDTH = (("latest time waiting", "latest waiting"), ("(?:TIME ){2,}", "TIME "), ("(?:- ){2,}", "- "), (r"SIZE \(rank \d\)", "SIZE"))


def steady(text):
    """The text in one line, without what differs from run to run."""
    text = re.sub(rf"\b{re.escape(socket.gethostname().partition('.')[0])}\b", "node7", text)  # not within the random name of a run
    for pattern, word in VARIABLE:
        text = re.sub(pattern, word, text)
    text = " ".join(text.split()) + " "
    for pattern, word in OF_WIDTH:
        text = re.sub(pattern, word, text)
    return OF_CORES.sub("", text).strip()


class Step:
    """A command, the lines that are typed into it, and the pieces of output that the document shows."""

    def __init__(self, command):
        self.command, self.typed, self.shown = command, [], [[]]

    def add(self, line):
        if line.startswith("(gdb) "):
            self.typed.append(line[len("(gdb) "):])
        elif line.strip() == "...":
            self.shown.append([])
        else:
            self.shown[-1].append(line)

    def script(self):
        """Lines for a shell that run it."""
        if self.command.startswith("sleep "):
            return PATIENTLY
        if self.command.endswith("&"):
            return f"{self.command[:-1]} >background 2>&1 &"
        if self.typed:
            return f"{self.command} 2>&1 <<'TYPED'\n" + "\n".join(self.typed) + "\nTYPED"
        return f"{self.command} 2>&1" + ("; cat background" if self.command == "wait" else "")


def steps_of(blocks):
    """The steps in blocks of a document; a block without a command is a quotation from an output: (steps, quotations)."""
    steps, quotations = [], []
    for block in blocks:
        if not block.startswith("$ "):
            quotations.append(block)
            continue
        for line in block.splitlines():
            if line.startswith("$ "):
                steps.append(Step(line[2:]))
            else:
                steps[-1].add(line)
    return steps, quotations


def blocks_of_tutorial():
    text = (TREE / "docs/tutorial.md").read_text(encoding="utf-8")
    return [textwrap.dedent(block).strip("\n") for block in re.findall(r"(?m)(?:^(?:    .*)?\n)+", text) if block.strip()]


def installation():
    """The commands by which the README installs what it has built, and makes it known to the shell."""
    commands = re.findall(r"(?m)^    ((?:cmake --install|export PATH=).*?)(?:  #.*)?$", (TREE / "README.md").read_text(encoding="utf-8"))
    return [f"{command.strip()} >installed" if command.startswith("cmake") else command for command in commands]


def blocks_of_readme():
    return re.findall(r"```\n(\$ .*?)```", (TREE / "README.md").read_text(encoding="utf-8"), re.S)


class Tutorial(unittest.TestCase):
    def prepare(self, folder):
        """A clone as the reader has it: the documents, what was built, and commands by the names that the documents use."""
        (folder / "bin").mkdir()
        (folder / "docs").symlink_to(TREE / "docs")
        (folder / "build").mkdir()
        (folder / "build/release").symlink_to(pathlib.Path(harness.COMMAND).resolve().parent.parent)
        compiler = shutil.which(f"mpicc.{harness.FLAVOUR}")
        scripts = {"mpirun": f'exec {shlex.join(harness.launcher(4)[:-2])} "$@"', "pgrep": OWN_PROCESSES,
                   "mpicc": f'exec {compiler} "$@" {os.environ.get("CS_TEST_PAUSING", "")} -ldl' if compiler else f"cp {harness.PROGRAMS}/heat heat"}
        for name, script in scripts.items():
            path = folder / "bin" / name
            path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
            path.chmod(0o755)

    def outputs_of(self, steps, folder):
        """What each step prints, in one shell."""
        lines = installation()
        self.assertEqual(len(lines), 2, lines)
        for number, step in enumerate(steps):
            lines += [f"printf '\\n@@%d\\n' {number}", step.script()]  # gdb's prompt may end without a line
        (folder / "script").write_text("\n".join(lines), encoding="utf-8")
        environment = harness.base_environment(COLUMNS=TABLES_AT, NO_COLOR="1", CALLSIGN_SYNC="off", LC_ALL="C.UTF-8",
                                               HOME=str(folder), PATH=f"{folder}/bin:{os.environ['PATH']}")
        done = harness.bounded.run(["bash", "script"], harness.TIMEOUT, text=True, errors="replace", env=environment, cwd=folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return re.split(r"(?m)^@@\d+\n", done.stdout)[1:]

    def check_shown(self, step, output):
        rest = steady(output)
        for expected in filter(None, (steady("\n".join(piece)) for piece in step.shown)):
            with self.subTest(step.command, piece=expected):
                self.assertIn(expected, rest)
                rest = rest.partition(expected)[2]

    @unittest.skipIf(harness.SANITIZER, "the launcher would have to be run without it")
    def test_documents_show_what_their_commands_print(self):
        steps, quotations = steps_of(blocks_of_tutorial())
        if not shutil.which("gdb"):
            steps = [step for step in steps if not step.typed]
        self.assertGreater(len(steps), 14)
        with harness.workspace() as folder:
            self.prepare(folder)
            outputs = self.outputs_of(steps, folder)
        self.assertEqual(len(outputs), len(steps), outputs)
        by_command = {}
        for step, output in zip(steps, outputs):
            by_command[step.command] = output
            self.check_shown(step, output)
        for quotation in quotations:
            self.assertIn(steady(quotation), steady("".join(outputs)))
        of_readme, _ = steps_of(blocks_of_readme())
        self.assertGreater(len(of_readme), 3)
        for step in of_readme:
            self.assertIn(step.command, by_command, "the tutorial runs the commands of the README")
            self.check_shown(step, by_command[step.command])


if __name__ == "__main__":
    unittest.main()
