"""The memory of a process or a core in lldb, and the table that is in it."""

import time

import lldb

from .memory import Memory, Trouble, Unreadable
from .tables import ABSENT, Tables
from .words import escape


class LldbMemory(Memory):
    def __init__(self, process):
        self.process, self.target = process, process.GetTarget()
        plugin = process.GetPluginName() or ""
        self.lives = not ("core" in plugin or "minidump" in plugin)

    def fetch(self, address, size):
        error = lldb.SBError()
        data = self.process.ReadMemory(address, size, error) if size else b""
        if error.Fail() or not isinstance(data, bytes) or len(data) != size:
            raise Unreadable(f"{address:#x}")
        return data

    def addresses_of(self, symbol):
        found = self.target.FindSymbols(symbol)
        addresses = [found.GetContextAtIndex(i).GetSymbol().GetStartAddress().GetLoadAddress(self.target) for i in range(found.GetSize())]
        return [address for address in addresses if address != lldb.LLDB_INVALID_ADDRESS]

    def writable(self):
        regions, region = self.process.GetMemoryRegions(), lldb.SBMemoryRegionInfo()
        found = []
        for i in range(regions.GetSize()):
            if regions.GetMemoryRegionAtIndex(i, region) and region.IsWritable() and region.IsMapped():
                name = region.GetName() or ""
                likely = 0 if "libcallsign-" in name else 1 if ".so" in name else 2
                found.append((likely, region.GetRegionBase(), region.GetRegionEnd() - region.GetRegionBase()))
        return [(begin, size) for _, begin, size in sorted(found)]

    def where(self, address):
        """A return address: the line of the call before it."""
        place = self.target.ResolveLoadAddress(address - 1)
        context = self.target.ResolveSymbolContextForAddress(place, lldb.eSymbolContextEverything)
        line, symbol, inlined = context.GetLineEntry(), context.GetSymbol(), context.GetBlock().GetContainingInlinedBlock()
        name = inlined.GetInlinedName() if inlined.IsValid() else context.GetFunction().GetName() or symbol.GetName()
        if name and line.IsValid():
            return escape(f"{name} {line.GetFileSpec().GetFilename()}:{line.GetLine()}")
        if not symbol.IsValid():
            return f"{address:#x}"
        inside = address - 1 - symbol.GetStartAddress().GetLoadAddress(self.target)
        return f"{escape(name or '')} + {inside} ({address:#x})"

    def now(self):
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC) if self.lives else None


# ---- the table of a process ----

tables = Tables()


def standing(process):
    """True if the process can be read: it exists and is stopped."""
    return process.IsValid() and process.GetState() in (lldb.eStateStopped, lldb.eStateCrashed, lldb.eStateSuspended)


def found(process, look):
    """The result of look, a function of Tables, for a process."""
    tables.forget(lambda _, table: table and not table.memory.process.IsValid())
    return look(process.GetUniqueID(), LldbMemory(process))


def needed(process):
    if not process.IsValid():
        raise Trouble(ABSENT)
    if not standing(process):
        raise Trouble("the process runs or is gone: only one that stands still can be asked")
    return found(process, tables.needed)


def quietly(process):
    """For summaries, which must never fail. None: there is no table yet."""
    try:
        return found(process, tables.current) if standing(process) else None
    except Trouble:
        return None
