"""Values of the program that are handles: how their types are called, and what is known of one. The same for every debugger."""

from . import show
from .layout import KIND_WORDS
from .memory import Trouble, Unreadable
from .words import KIND_NUMBER

# The types in C: the word of each kind, and the structures behind its handles in MPIs whose handles are pointers.
TYPES = {
    "MPI_Comm": ("communicator", "ompi_communicator_t", "MPI_ABI_Comm"),
    "MPI_Datatype": ("datatype", "ompi_datatype_t", "MPI_ABI_Datatype"),
    "MPI_Win": ("window", "ompi_win_t", "MPI_ABI_Win"),
    "MPI_Group": ("group", "ompi_group_t", "MPI_ABI_Group"),
    "MPI_Op": ("op", "ompi_op_t", "MPI_ABI_Op"),
    "MPI_Request": ("request", "ompi_request_t", "MPI_ABI_Request"),
    "MPI_File": ("file", "ompi_file_t", "ADIOI_FileD", "MPI_ABI_File"),
    "MPI_Info": ("info", "ompi_info_t", "MPI_ABI_Info"),
    "MPI_Errhandler": ("errhandler", "ompi_errhandler_t", "MPI_ABI_Errhandler"),
    "MPI_Session": ("session", "ompi_instance_t", "MPI_ABI_Session"),
    "MPI_Message": ("message", "ompi_message_t", "MPI_ABI_Message"),
}
WORDS = {name.lower(): word for name, (word, *_) in TYPES.items()}  # Fortran writes them as it likes
POINTED = {structure: word for word, *structures in TYPES.values() for structure in structures}


class Handle:
    """A value of the program. word: the kind that its type says, or None; in_fortran: it is one of Fortran's type(MPI_x), or an INTEGER."""

    def __init__(self, number, size_bytes, word=None, in_fortran=False):
        self.number, self.word, self.in_fortran = number, word, in_fortran  # the number is signed where its type is
        self.bits = number & (1 << 8 * size_bytes) - 1


def text_of(table, handle, word=None):
    """What is known of a handle, as an object of this kind or of its own kind; "": nothing."""
    if handle.in_fortran:
        return show.of_fortran(table, word or handle.word, handle.number)
    return show.of_handle(table, word or handle.word, handle.bits)


def value_text(table, handle):
    """The text that a debugger shows for a handle; never fails. table: may be None."""
    try:
        text = text_of(table, handle) if table else ""
    except (Unreadable, Trouble):
        text = ""
    return text or (str(handle.number) if handle.in_fortran else f"{handle.bits:#x}")


def texts_of(table, handle):
    """[(word, text)] of all that it may be; a plain number may be of any kind."""
    if handle.word:
        return [(handle.word, text_of(table, handle))]
    if handle.in_fortran:
        return [(word, text_of(table, handle, word)) for word, *_ in TYPES.values()]
    return show.guesses(table, handle.bits)


def record_of(table, handle, word):
    """The object behind it if it is of this kind, or None."""
    if not handle.in_fortran:
        return table.find(KIND_NUMBER[word], handle.bits)
    if table.header.handle_bytes == 8:
        return table.find_fortran(KIND_NUMBER[word], handle.number)
    return table.find(KIND_NUMBER[word], handle.number & 0xFFFFFFFF)


def name_of(table, handle):
    """The name alone; "": none."""
    for word, _ in [(handle.word, "")] if handle.word else texts_of(table, handle):
        record = record_of(table, handle, word)
        name = table.name(record) if record else "" if handle.in_fortran else table.constant(KIND_NUMBER[word], handle.bits)
        if name:
            return name
    return ""


def called(table, name, kind=None):
    """The handle of the living object of that name, as the program has it: signed where it is an int. kind: "comm", ...; None: any."""
    word = show.OPTIONS.get(f"-{kind}")
    if kind and not word:
        raise Trouble(f"no kind {kind}: {', '.join(option[1:] for option in show.OPTIONS)}")
    found = table.called(name, {KIND_NUMBER[word]} if word else set(KIND_WORDS))
    if not found:
        raise Trouble(f"nothing that lives is called {name}")
    handle = found[-1].handle
    return handle - (1 << 32) if table.header.handle_bytes == 4 and handle < 1 << 32 and handle >> 31 else handle
