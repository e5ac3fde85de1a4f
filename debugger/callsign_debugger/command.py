"""`callsign core FILE` and `callsign attach PID`: the command runs `python3 -m callsign_debugger core FILE`."""

import os
import sys

from . import show
from .core import Core
from .locate import locate
from .memory import Trouble
from .process import Process
from .table import Table
from .words import escape


def table_of(memory, what):
    address = locate(memory)
    if address is None:
        raise Trouble(f"{what}: no live table of callsign is in it; was the program run with callsign, and did it call MPI?")
    return Table(memory, address)


def core_lines(path):
    core = Core(path)
    table = table_of(core, f"{path} is cut off, {core.cut} bytes are missing at its end" if core.cut else path)
    core.now = lambda: core.realtime() - table.header.last_realtime + table.header.last_monotonic
    lines = [f"core of {escape(core.arguments or core.program)}" + (f", ended by signal {core.signal}" if core.signal else "")]
    if core.cut:
        lines.append(f"It is cut off: {core.cut} bytes are missing at its end, and perhaps objects below.")
    return lines + show.whole(table)


def attach_lines(text):
    if not text.isdigit() or len(text) > 9:
        raise Trouble(f"{text} is no number of a process")
    table = table_of(Process(int(text)), f"process {text}")
    return show.whole(table)


def main(arguments):
    try:
        lines = {"core": core_lines, "attach": attach_lines}[arguments[0]](arguments[1])
        sys.stdout.reconfigure(errors="backslashreplace")
        sys.stdout.write("\n".join(lines) + "\n")
        sys.stdout.flush()
    except Trouble as trouble:
        print(f"callsign: {escape(str(trouble)).replace(chr(92) + chr(34), chr(34))}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except OSError as error:
        print(f"callsign: {error.strerror}", file=sys.stderr)
        return 1
    return 0
