"""gdb: printers for handles, `mpi`, `info mpi`, $callsign_name and $callsign_handle. No function of the program is called."""

import gdb

from . import gdb_frames, handles, mpi_command
from .gdb_memory import forget, look_again, needed, quietly
from .handles import POINTED, WORDS, Handle
from .memory import Trouble, Unreadable

REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)


# ---- values ----

def kind_of(type_):
    """(word, whether it is a handle of Fortran's type), or None. A typedef of a typedef is looked through step by step."""
    for _ in range(16):
        type_ = type_.unqualified()
        if type_.code in REFERENCES:
            type_ = type_.target()
            continue
        word = WORDS.get((type_.name or "").lower())
        if word:
            return word, type_.code == gdb.TYPE_CODE_STRUCT
        if type_.code != gdb.TYPE_CODE_TYPEDEF:
            break
        type_ = type_.target()
    if type_.code == gdb.TYPE_CODE_PTR:
        word = POINTED.get(type_.target().unqualified().tag or type_.target().name or "")
        return (word, False) if word else None
    return None


def handle_of(value):
    """A Handle; of no kind if the value's type is that of a plain number."""
    word, in_fortran = kind_of(value.type) or (None, False)
    value = value.referenced_value() if value.type.code in REFERENCES else value
    if in_fortran:
        value = value[value.type.strip_typedefs().fields()[0]]
    return Handle(int(value), value.type.sizeof, word, in_fortran)


class Printer:
    """No children(): gdb/MI would then show {...} instead of the name."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        return handles.value_text(quietly(), handle_of(self.value))


class Printers:
    name, enabled, subprinters = "callsign", True, None

    def __call__(self, value):
        return Printer(value) if kind_of(value.type) and quietly() else None


# ---- commands ----

def evaluate(text):
    return handle_of(gdb.parse_and_eval(text))


def say(lines):
    gdb.write("\n".join(lines) + "\n")


class Prefix(gdb.Command):
    """Names of MPI objects: mpi name, mpi where, mpi members, mpi waiting, mpi info."""

    def __init__(self):
        super().__init__("mpi", gdb.COMMAND_DATA, prefix=True)

    def invoke(self, argument, from_tty):
        say(mpi_command.help_lines())


class Answer(gdb.Command):
    """A command that answers as `mpi WORD` does."""

    def __init__(self, name, word, before="", prefix=False):
        self.__doc__ = mpi_command.short_help(word)
        self.word, self.before = word, before
        kind = gdb.COMPLETE_NONE if word in ("info", "waiting") else gdb.COMPLETE_EXPRESSION
        super().__init__(name, gdb.COMMAND_STATUS if word == "info" else gdb.COMMAND_DATA, kind, prefix)

    def invoke(self, argument, from_tty):
        try:
            say(mpi_command.answer(needed(), self.word, f"{self.before} {argument}", evaluate))
        except (Unreadable, Trouble) as trouble:
            raise gdb.GdbError(f"callsign: {trouble}") from None
        except gdb.error as error:
            raise gdb.GdbError(str(error)) from None


class Name(gdb.Function):
    """$callsign_name(HANDLE): its name, or ""."""

    def __init__(self):
        super().__init__("callsign_name")

    def invoke(self, value):
        table = quietly()
        return handles.name_of(table, handle_of(value)) if table else ""


class Called(gdb.Function):
    """$callsign_handle("NAME" [, "comm"]): the handle of the living object of that name, for conditions of breakpoints."""

    def __init__(self):
        super().__init__("callsign_handle")

    def invoke(self, name, word=None):
        table = needed()
        try:
            handle = handles.called(table, name.string(), word.string() if word is not None else None)
        except Trouble as trouble:
            raise gdb.GdbError(f"callsign: {trouble}") from None
        return gdb.Value(handle).cast(gdb.lookup_type("int" if table.header.handle_bytes == 4 and handle < 1 << 32 else "unsigned long"))


def register():
    """Once in a gdb, however often its libraries ask for it."""
    import gdb.printing
    gdb.printing.register_pretty_printer(None, Printers(), replace=True)
    gdb_frames.register()
    Prefix()
    for word in mpi_command.COMMANDS:
        Answer(f"mpi {word}", word)
    Answer("info mpi", "info", prefix=True)
    for word in mpi_command.TABLES:
        Answer(f"info mpi {word}", "info", before=word)
    Name()
    Called()
    gdb.events.exited.connect(forget)
    gdb.events.new_objfile.connect(look_again)


register()
