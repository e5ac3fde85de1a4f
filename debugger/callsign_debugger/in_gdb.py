"""gdb: printers for handles, `info mpi`, `mpi`, $callsign_name and $callsign_handle. No function of the program is called."""

import gdb

from . import show
from .gdb_memory import forget, look_again, needed, quietly
from .journal import Journal
from .layout import KINDS, NUMBER
from .memory import Trouble, Unreadable

# What C, C++ and Fortran call the types, in small letters; and the structures that handles of Open MPI point to.
TYPES = {"mpi_comm": "communicator", "mpi_datatype": "datatype", "mpi_win": "window", "mpi_group": "group", "mpi_op": "op", "mpi_request": "request",
         "mpi_file": "file", "mpi_info": "info", "mpi_errhandler": "errhandler", "mpi_session": "session", "mpi_message": "message"}
POINTED = {"ompi_communicator_t": "communicator", "ompi_datatype_t": "datatype", "ompi_win_t": "window", "ompi_group_t": "group", "ompi_op_t": "op",
           "ompi_request_t": "request", "ompi_file_t": "file", "ompi_info_t": "info", "ompi_errhandler_t": "errhandler", "ompi_instance_t": "session",
           "ompi_message_t": "message"}


# ---- values ----

def kind_of(type_):
    """(word, whether it is a handle of Fortran's type), or None. A typedef of a typedef is looked through step by step."""
    for _ in range(16):
        type_ = type_.unqualified()
        if type_.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
            type_ = type_.target()
            continue
        word = TYPES.get((type_.name or "").lower())
        if word:
            return word, type_.code == gdb.TYPE_CODE_STRUCT
        if type_.code != gdb.TYPE_CODE_TYPEDEF:
            break
        type_ = type_.target()
    if type_.code == gdb.TYPE_CODE_PTR:
        word = POINTED.get(type_.target().unqualified().tag or type_.target().name or "")
        return (word, False) if word else None
    return None


def number_of(value):
    value = value.referenced_value() if value.type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF) else value
    return int(value) & (1 << 8 * value.type.sizeof) - 1


def fortran_number(value):
    value = value.referenced_value() if value.type.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF) else value
    return int(value[value.type.strip_typedefs().fields()[0]])


def text_of(table, value, kind):
    """What is known of a value; "": nothing."""
    word, fortran = kind
    if fortran:
        return show.of_fortran(table, word, fortran_number(value))
    return show.of_handle(table, word, number_of(value))


class Printer:
    """No children(): gdb/MI would then show {...} instead of the name."""

    def __init__(self, value, kind):
        self.value, self.kind = value, kind

    def to_string(self):
        table = quietly()
        try:
            text = text_of(table, self.value, self.kind) if table else ""
        except (Unreadable, Trouble):
            text = ""
        if text:
            return text
        return str(fortran_number(self.value)) if self.kind[1] else f"{number_of(self.value):#x}"


class Printers:
    name, enabled, subprinters = "callsign", True, None

    def __call__(self, value):
        kind = kind_of(value.type)
        return Printer(value, kind) if kind and quietly() else None


# ---- commands ----

def say(lines):
    gdb.write("\n".join(lines) + "\n")


def lookup(table, text):
    """(value, [(word, text)]) of `[-f] [-comm|...] EXPRESSION`."""
    words, fortran, word = text.split(), False, None
    while words and (words[0] == "-f" or words[0] in show.OPTIONS):
        fortran, word = fortran or words[0] == "-f", show.OPTIONS.get(words[0], word)
        words = words[1:]
    if not words:
        raise gdb.GdbError("callsign: which handle? mpi name [-f] [-comm|-type|-win|-group|-op|-request|-file|-info|-errhandler|-session] EXPRESSION")
    value = gdb.parse_and_eval(" ".join(words))
    kind = kind_of(value.type)
    if kind and not word:
        return value, [(kind[0], text_of(table, value, kind))], fortran_number(value) if kind[1] else number_of(value), kind[1]
    number = int(value)
    if fortran:
        kinds = [word] if word else list(TYPES.values())
        return value, [(one, show.of_fortran(table, one, number)) for one in kinds], number, True
    number &= (1 << 8 * value.type.sizeof) - 1
    return value, [(word, show.of_handle(table, word, number))] if word else show.guesses(table, number), number, False


def objects_of(table, text):
    _, found, number, fortran = lookup(table, text)
    for word, _ in found:
        handle = number & 0xFFFFFFFF if fortran and table.header.handle_bytes == 4 else number
        in_c = not fortran or table.header.handle_bytes == 4
        record = table.find(NUMBER[word], handle) if in_c else table.find_fortran(NUMBER[word], number)
        if record:
            yield record


def nothing(text):
    return [f"callsign knows no such handle: {text}"]


def command_name(table, text):
    found = [(word, shown) for word, shown in lookup(table, text)[1] if shown]
    return [shown if len(found) == 1 else f"{word} {shown}" for word, shown in found] or nothing(text)


def command_where(table, text):
    journal = Journal.of(table)
    return [line for record in objects_of(table, text) for line in show.where(table, record, journal)] or nothing(text)


def command_members(table, text):
    journal = Journal.of(table)
    return [line for record in objects_of(table, text) for line in show.members(table, record, journal)] or nothing(text)


class Prefix(gdb.Command):
    """Names of MPI objects: mpi name, mpi where, mpi members, mpi waiting."""

    def __init__(self):
        super().__init__("mpi", gdb.COMMAND_DATA, prefix=True)

    def invoke(self, argument, from_tty):
        say(["mpi name [-f] [-comm|-type|...] EXPR   what is known of a handle; -f: a Fortran INTEGER",
             "mpi where EXPR                         where it was created, named and freed",
             "mpi members EXPR                       the world ranks of a communicator",
             "mpi waiting                            the MPI call that each thread is in",
             "info mpi [comms|types|windows|groups|requests|files|all]"])


class InfoMpi(gdb.Command):
    """What this process is, the MPI call of each thread; with a word after it, the objects that live."""

    def __init__(self):
        super().__init__("info mpi", gdb.COMMAND_STATUS, prefix=True)

    def invoke(self, argument, from_tty):
        table = needed()
        say([*show.process_lines(table), *show.waiting(table)])


class Simple(gdb.Command):
    def __init__(self, name, help_text, lines, completion):
        self.__doc__ = help_text
        self.lines = lines
        super().__init__(name, gdb.COMMAND_DATA, completion)

    def invoke(self, argument, from_tty):
        try:
            say(self.lines(needed(), argument))
        except (Unreadable, Trouble) as trouble:
            raise gdb.GdbError(f"callsign: {trouble}") from None
        except gdb.error as error:
            raise gdb.GdbError(str(error)) from None


class Name(gdb.Function):
    """$callsign_name(HANDLE): its name, "" if it has none."""

    def __init__(self):
        super().__init__("callsign_name")

    def invoke(self, value):
        table = quietly()
        if not table:
            return ""
        kind = kind_of(value.type)
        words = [kind[0]] if kind else [word for word, _ in show.guesses(table, number_of(value))]
        for word in words:
            record = (table.find_fortran(NUMBER[word], fortran_number(value)) if kind and kind[1] and table.header.handle_bytes == 8 else
                      table.find(NUMBER[word], fortran_number(value) & 0xFFFFFFFF if kind and kind[1] else number_of(value)))
            name = table.name(record) if record else "" if kind and kind[1] else table.constant(NUMBER[word], number_of(value))
            if name:
                return name
        return ""


class Handle(gdb.Function):
    """$callsign_handle("NAME" [, "comm"]): the handle of the living object of that name, for conditions of breakpoints."""

    def __init__(self):
        super().__init__("callsign_handle")

    def invoke(self, name, word=None):
        table = needed()
        option = show.OPTIONS.get("-" + word.string()) if word is not None else None
        if word is not None and not option:
            raise gdb.GdbError(f"callsign: no kind {word.string()}: {', '.join(key[1:] for key in show.OPTIONS)}")
        found = table.called(name.string(), {NUMBER[option]} if option else set(KINDS))
        if not found:
            raise gdb.GdbError(f"callsign: nothing that lives is called {name.string()}")
        handle = found[-1].handle
        if table.header.handle_bytes == 4 and handle < 1 << 32:
            return gdb.Value(handle - (1 << 32) if handle >> 31 else handle).cast(gdb.lookup_type("int"))
        return gdb.Value(handle).cast(gdb.lookup_type("unsigned long"))


def register():
    """Once in a gdb, however often its libraries ask for it."""
    import gdb.printing
    gdb.printing.register_pretty_printer(None, Printers(), replace=True)
    Prefix()
    InfoMpi()
    for word in ("comms", "types", "windows", "groups", "requests", "files", "ops", "infos", "errhandlers", "sessions", "all"):
        Simple(f"info mpi {word}", f"MPI objects that live: {word}.", lambda table, _, word=word: show.info(table, word), gdb.COMPLETE_NONE)
    Simple("mpi name", "mpi name [-f] [-comm|-type|...] EXPR: what is known of a handle.", command_name, gdb.COMPLETE_EXPRESSION)
    Simple("mpi where", "mpi where EXPR: where it was created, named and freed.", command_where, gdb.COMPLETE_EXPRESSION)
    Simple("mpi members", "mpi members EXPR: the world ranks of a communicator.", command_members, gdb.COMPLETE_EXPRESSION)
    Simple("mpi waiting", "The MPI call that each thread is in, on what, for whom, since when.", lambda table, _: show.waiting(table), gdb.COMPLETE_NONE)
    Name()
    Handle()
    gdb.events.exited.connect(forget)
    gdb.events.new_objfile.connect(look_again)


register()
