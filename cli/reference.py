#!/usr/bin/env python3
"""Writes docs/reference.md, the reference of commands and settings, from the output of the command itself.

    reference.py CALLSIGN            write docs/reference.md; CALLSIGN: the command, build/release/bin/callsign
    reference.py --check CALLSIGN    fail if the file is out of date
"""
import pathlib
import re
import subprocess
import sys

OUT = pathlib.Path(__file__).resolve().parent.parent / "docs" / "reference.md"
HEAD = """\
# Reference of commands and settings

For users who look up a command, an option or a setting. `cli/reference.py` writes this page from the command's own help.

Exit codes of all commands:

- 0: success
- 1: an error; one line on stderr names it, the file or value, and what to do
- 2: wrong arguments

`compare`, `check`, `doctor` and `names --check` also return 1 if they find something. `compare` returns 2 if a rule cannot be decided, `check` 3. The exit code
of `callsign run`, `gdb` and `lldb` is that of the program that they start: 127 if it does not exist, 126 if it cannot be executed.
"""


def ask(command, *words):
    return subprocess.run([command, "help", *words], check=True, capture_output=True, text=True).stdout.rstrip()


def page(command):
    overview = ask(command)
    parts = [HEAD, f"```\n{overview}\n```\n"]
    names = [name for name in re.findall(r"(?m)^  (\w+)  +\w", overview) if name != "help"]
    for name in names:
        parts.append(f"## callsign {name}\n\n```\n{ask(command, name)}\n```\n")
    parts.append(f"## Settings\n\n```\n{ask(command, 'settings')}\n```\n")
    return "\n".join(parts)


def main(arguments):
    check = arguments[:1] == ["--check"]
    text = page(arguments[-1])
    if not check:
        OUT.write_text(text, encoding="utf-8")
    elif OUT.read_text(encoding="utf-8") != text:
        sys.exit(f"docs/{OUT.name} is not what the command prints: run cli/reference.py {arguments[-1]}")


if __name__ == "__main__":
    main(sys.argv[1:])
