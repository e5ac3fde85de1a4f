"""Finds what an mpi.h lacks by compiling a use of each thing in the standard."""

import os
import re
import subprocess
import tempfile

from .header import INCLUDES
from .problem import Problems


def lacking(compiler, includes, declarations):
    """The names of the declarations (gen/standard) that do not compile after mpi.h. Raises Problems.

    Each use has its own line, so that error messages identify it by line. Compilers stop after some errors, so the failed uses are removed and the
    rest is compiled again until no error is left."""
    missing = set()
    while True:
        left = [each for each in declarations if each.name not in missing]
        wrong = lines_with_errors(compiler, includes, [each.use for each in left])
        if not wrong:
            return missing
        missing |= {left[line].name for line in wrong}


def lines_with_errors(compiler, includes, lines):
    """Compiles preprocessed text: an error in a macro then belongs to the line that uses it, not to its definition in mpi.h."""
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
