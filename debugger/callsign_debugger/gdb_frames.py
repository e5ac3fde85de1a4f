"""gdb: callsign's own frames in a backtrace. Arguments that the compiler dropped are taken from the call that the frame holds, as far as that knows
them; those of Fortran, which are addresses, are shown as what lies there."""

import gdb
from gdb.FrameDecorator import FrameDecorator

from .gdb_memory import quietly
from .handles import WORDS
from .layout import SITE_STACK
from .words import KIND_NUMBER
from .memory import Trouble, Unreadable

# The names of arguments in both MPIs.
PEERS = ("source", "dest", "root", "target_rank")
HANDLES = {"comm": "MPI_Comm", "local_comm": "MPI_Comm", "peer_comm": "MPI_Comm", "comm_old": "MPI_Comm", "datatype": "MPI_Datatype",
           "sendtype": "MPI_Datatype", "recvtype": "MPI_Datatype", "op": "MPI_Op", "win": "MPI_Win", "fh": "MPI_File", "group": "MPI_Group",
           "info": "MPI_Info", "request": "MPI_Request"}
NUMBERS = (*PEERS, "tag", "count", "sendcount", "recvcount", "sendtag", "recvtag", "color", "key", "rank")


def is_ours(frame):
    """A wrapper: MPI_Recv, or mpi_recv_ for Fortran."""
    function = frame.function()
    return bool(function) and function.name.lower().startswith("mpi_") and "libcallsign" in (function.symtab.objfile.filename or "")


class Seen:
    """The call that the frame of a wrapper holds, if it has begun."""

    def __init__(self, frame):
        call = frame.read_var("cs_call")
        older = frame.older()
        innermost = int(call["innermost"])
        self.begun = bool(older) and (innermost == older.pc() or innermost & SITE_STACK != 0) and int(call["thread"]) != 0
        self.call = call

    def argument(self, name, type_, alone):
        """A gdb.Value, or None: the call does not tell."""
        if not self.begun:
            return None
        kind = KIND_NUMBER.get(WORDS.get((type_.name or "").lower()), 0)
        if kind and int(self.call["on"]) and int(self.call["on"].dereference()["kind"]) == kind:
            return gdb.Value(int(self.call["on"].dereference()["handle"])).cast(type_)
        number = int(self.call["tag"]) if name == "tag" else int(self.call["peer"]) if name in PEERS and alone else -1
        return gdb.Value(number).cast(type_) if number >= 0 else None


def of_fortran(name, address):
    """The value at the address of a Fortran argument, or None if only the address is known."""
    if name in NUMBERS:
        return gdb.Value(address).cast(gdb.lookup_type("int").pointer()).dereference()
    table = quietly()
    if name not in HANDLES or not table:
        return None
    type_ = gdb.lookup_type(HANDLES[name])
    number = int(gdb.Value(address).cast(gdb.lookup_type("int").pointer()).dereference())
    if table.header.handle_bytes == 4:
        return gdb.Value(number).cast(type_)
    record = table.find_fortran(KIND_NUMBER[WORDS[HANDLES[name].lower()]], number)
    return gdb.Value(record.handle).cast(type_) if record else None


class Argument:
    """An argument as gdb expects it. gdb's own class for this differs between versions."""

    def __init__(self, symbol, value):
        self._symbol, self._value = symbol, value

    def symbol(self):
        return self._symbol

    def value(self):
        """None: gdb shows its own value."""
        return self._value


class Wrapper(FrameDecorator):
    def frame_args(self):
        arguments = super().frame_args()
        if not arguments:
            return arguments
        frame = self.inferior_frame()
        try:
            seen = Seen(frame)
        except (gdb.error, ValueError):
            return arguments
        alone = sum(one.symbol().name in PEERS for one in arguments) == 1
        return [self.better(one.symbol(), frame, seen, alone) for one in arguments]

    @staticmethod
    def better(symbol, frame, seen, alone):
        value = None
        try:
            known = symbol.value(frame)
            if known.is_optimized_out:
                value = seen.argument(symbol.name, symbol.type, alone)
            elif frame.function().name[0] == "m" and int(known):
                value = of_fortran(symbol.name, int(known))
            if value is not None:
                value.fetch_lazy()
        except (gdb.error, ValueError, Trouble, Unreadable):
            value = None
        return Argument(symbol, value)


class Wrappers:
    """A frame filter."""

    name, enabled, priority = "callsign", True, 50

    def filter(self, frames):
        return (Wrapper(frame) if is_ours(frame.inferior_frame()) else frame for frame in frames)


def register():
    gdb.frame_filters["callsign"] = Wrappers()
