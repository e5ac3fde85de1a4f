"""Finds out what an mpi.h lacks, by compiling a use of each thing that the standard has."""

import os
import re
import subprocess
import tempfile

from .header import INCLUDES
from .problem import Problems


def lacking(compiler, includes, declarations):
    """The names of those declarations (gen/standard) that do not compile after mpi.h. Raises Problems.

    A use stands on a line of its own, so that the lines of the errors say which do not. Compilers end after some errors: what was told is
    left out and the rest compiled again, until nothing is wrong with it."""
    missing = set()
    while True:
        left = [each for each in declarations if each.name not in missing]
        wrong = lines_with_errors(compiler, includes, [each.use for each in left])
        if not wrong:
            return missing
        missing |= {left[line].name for line in wrong}


def lines_with_errors(compiler, includes, lines):
    """Preprocessed first: the errors of a macro are those of the line that has it, not of the one in mpi.h that defines it."""
    with tempfile.TemporaryDirectory() as folder:
        source, text = (os.path.join(folder, name) for name in ("uses.c", "uses.i"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(INCLUDES + '#line 1 "cs_uses.c"\n' + "\n".join(lines) + "\n")
        failed, error = run([compiler, "-E", "-std=gnu11", *("-I" + include for include in includes), source, "-o", text])
        if not failed:
            failed, error = run([compiler, "-fsyntax-only", "-std=gnu11", "-w", "-x", "cpp-output", text])
    found = {int(line) - 1 for line in re.findall(r"^cs_uses\.c:(\d+):.*error", error, flags=re.MULTILINE)}
    if failed and not found:
        raise Problems([f"mpi.h: {compiler} cannot compile it:\n{error.strip()}"])
    return found


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, LC_ALL="C"), check=False)
    return done.returncode != 0, done.stderr
