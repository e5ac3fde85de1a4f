"""The tables of the processes that a debugger has. Each is looked for once; what a process has by now is read again each time."""

from .locate import locate
from .memory import Trouble
from .table import Table

ABSENT = ("no live table here: is the program run with callsign (callsign gdb, callsign lldb), has it called MPI, and is its MPI linked dynamically, "
          "not statically?")


class Tables:
    def __init__(self):
        self.found = {}  # process -> Table; None: a core without one

    def current(self, process, memory, scan=False):
        """The Table of a process, by its identity. None: there is none yet. scan: search everywhere; otherwise only where that takes no time."""
        table = self.found.get(process)
        if table and table.refresh():
            return table
        if process in self.found and not scan:
            return None
        core = not memory.lives
        address = locate(memory, scan or core)
        if address is not None:
            self.found[process] = Table(memory, address)
            return self.found[process]
        if core:
            self.found[process] = None
        return None

    def needed(self, process, memory):
        table = self.current(process, memory, scan=True)
        if not table:
            raise Trouble(ABSENT)
        return table

    def forget(self, gone):
        """Processes for which gone(process, table) is true."""
        for process in [process for process, table in self.found.items() if gone(process, table)]:
            del self.found[process]
