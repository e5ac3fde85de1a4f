"""`callsign core FILE` and `callsign attach PID`: the command runs `python3 -m callsign_debugger core FILE COMMAND`; COMMAND is itself, which
knows the lines of addresses."""

import os
import sys

from . import show
from .core import Core
from .locate import locate
from .memory import Trouble
from .modules import Lines
from .process import Process
from .table import Table
from .words import escape


def table_of(memory, what):
    address = locate(memory)
    if address is None:
        raise Trouble(f"{what}: no live table of callsign is in it; was the program run with callsign, and did it call MPI?")
    return Table(memory, address)


def core_lines(path, places=None):
    core = Core(path)
    table = table_of(core, f"{path} is cut off, {core.cut} bytes are missing at its end" if core.cut else path)
    core.now = lambda: core.realtime() - table.header.last_realtime_ns + table.header.last_monotonic_ns
    core.modules.lines = places
    ended = core.signal_text()
    lines = [f"core of {escape((core.arguments or core.program).strip())}" + (f", ended by {ended}" if ended else "")]
    if ended and core.pc is not None:
        lines.append(show.crash(table, core.threads[0], core.pc))
    if core.cut:
        lines.append(f"It is cut off: {core.cut} bytes are missing at its end, and perhaps objects below.")
    return lines + show.whole(table)


def attach_lines(text, places=None):
    if not text.isdigit() or len(text) > 9:
        raise Trouble(f"{text} is no number of a process")
    process = Process(int(text))
    process.modules.lines = places
    table = table_of(process, f"process {text}")
    return show.whole(table)


def main(arguments):
    places = Lines(arguments[2]) if len(arguments) > 2 else None
    try:
        lines = {"core": core_lines, "attach": attach_lines}[arguments[0]](arguments[1], places)
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
    finally:
        if places:
            places.close()
    return 0
