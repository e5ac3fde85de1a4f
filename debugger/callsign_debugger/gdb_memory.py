"""The memory of gdb's inferior, and the table that is in it."""

import re
import time

import gdb

from .memory import Memory, Trouble, Unreadable
from .process import maps_of, writable_of
from .tables import ABSENT, Tables
from .words import escape


class GdbMemory(Memory):
    def fetch(self, address, size):
        try:
            data = bytes(gdb.selected_inferior().read_memory(address, size)) if size else b""
        except gdb.error as error:
            raise Unreadable(str(error)) from None
        return data

    def addresses_of(self, symbol):
        # No expression: the program may be in another language than C, and the library without debug information.
        try:
            text = gdb.execute(f"info address {symbol}", to_string=True)
        except gdb.error:
            return []
        return [int(word, 16) for word in re.findall(r"\bat (?:address )?(0x[0-9a-f]+)", text)]

    @property
    def lives(self):
        return gdb.selected_inferior().pid > 0 and not is_core()

    def writable(self):
        if self.lives:
            try:
                return writable_of(sorted(maps_of(gdb.selected_inferior().pid)))
            except (OSError, ValueError):
                return []
        return core_regions()

    # Searched as everywhere: search_memory of gdb 18 answers with addresses of gdb's own.

    def where(self, address):
        """A return address: the line of the call before it."""
        line = gdb.find_pc_line(address - 1)
        block = gdb.block_for_pc(address - 1)
        while block and not block.function:
            block = block.superblock
        if block and line.symtab:
            return f"{block.function} {escape(line.symtab.filename.rsplit('/', 1)[-1])}:{line.line}"
        try:
            text = gdb.execute(f"info symbol {address - 1:#x}", to_string=True).split("\n")[0]
        except gdb.error:
            text = ""
        return escape(text.split(" in section")[0]) + f" ({address:#x})" if " in section" in text else f"{address:#x}"

    def now(self):
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC) if self.lives else None


def is_core():
    try:
        return "core" in (gdb.selected_inferior().connection.type if gdb.selected_inferior().connection else "")
    except AttributeError:
        return False


def core_regions():
    """Sections of a core, as gdb lists them: `0x... - 0x... is load12`."""
    found = []
    for line in gdb.execute("info files", to_string=True).splitlines():
        words = line.split()
        if len(words) == 5 and words[1] == "-" and words[3] == "is" and words[4].startswith("load"):
            found.append((int(words[0], 16), int(words[2], 16) - int(words[0], 16)))
    return found


# ---- the table of the inferior that is selected ----

memory = GdbMemory()
tables = Tables()


def selected():
    """An identity of this process, or None."""
    inferior = gdb.selected_inferior()
    return (inferior.num, inferior.pid) if inferior.pid else None


def needed():
    process = selected()
    try:
        if process:
            return tables.needed(process, memory)
        raise Trouble(ABSENT)
    except Trouble as trouble:
        raise gdb.GdbError(f"callsign: {trouble}") from None


def quietly():
    """For printers, which must never fail. None: there is no table yet."""
    process = selected()
    try:
        return tables.current(process, memory) if process else None
    except (Trouble, gdb.error):
        return None


def forget(event):
    gone = getattr(event, "inferior", gdb.selected_inferior()).num
    tables.forget(lambda process, _: process[0] == gone)


def look_again(event):
    """A new library may be the one that has the table."""
    tables.forget(lambda _, table: table is None)
