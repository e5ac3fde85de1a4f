"""The command `mpi` of a debugger and its answers. The debugger supplies the process's table and the values of expressions."""

from . import show
from .handles import Handle, record_of, texts_of
from .memory import Trouble

TABLES = (*show.WORDS, "all")


def handle_in(text, evaluate):
    """The Handle of `[-f] [-comm|...] EXPRESSION`."""
    words, in_fortran, word = text.split(), False, None
    while words and (words[0] == "-f" or words[0] in show.OPTIONS):
        in_fortran, word = in_fortran or words[0] == "-f", show.OPTIONS.get(words[0], word)
        words = words[1:]
    if not words:
        raise Trouble(f"which handle? [-f] [{'|'.join(show.OPTIONS)}] EXPRESSION")
    found = evaluate(" ".join(words))
    if found.word and not word:
        return found
    if in_fortran or found.in_fortran:
        return Handle(found.number, 4, word, True)
    return Handle(found.bits, 8, word)


def name(table, text, evaluate):
    found = [(word, shown) for word, shown in texts_of(table, handle_in(text, evaluate)) if shown]
    return [shown if len(found) == 1 else f"{word} {shown}" for word, shown in found] or nothing(text)


def where(table, text, evaluate):
    if not text:
        return waiting(table)
    journal = table.journal()
    return [line for record in records(table, text, evaluate) for line in show.where(table, record, journal)] or nothing(text)


def members(table, text, evaluate):
    journal = table.journal()
    return [line for record in records(table, text, evaluate) for line in show.members(table, record, journal)] or nothing(text)


def waiting(table, *_):
    return show.waiting(table)


def info(table, word, _):
    if word and word not in TABLES:
        raise Trouble(f"no such objects: {word}; there are {', '.join(TABLES)}")
    return show.info(table, word) if word else [*show.process_lines(table), *show.waiting(table), f"live objects: mpi info {'|'.join(TABLES)}"]


# The word after `mpi`: its function, its arguments, its purpose.
COMMANDS = {
    "name": (name, "[-f] [-comm|-type|...] EXPR", "what is known of a handle; -f: a Fortran INTEGER"),
    "where": (where, "[EXPR]", "where it was created, named and freed; without EXPR: as waiting"),
    "members": (members, "EXPR", "the world ranks of a communicator"),
    "waiting": (waiting, "", "the MPI call that each thread is in, on what, for whom, since when"),
    "info": (info, "[comms|types|...|all]", "what this process is; with a word after it, the objects that live"),
}


def answer(table, word, text, evaluate):
    """Lines that answer `mpi WORD TEXT`. evaluate(expression): the Handle that its value and type make."""
    return COMMANDS[word][0](table, text.strip(), evaluate)


def short_help(word):
    _, arguments, meaning = COMMANDS[word]
    return f"mpi {word} {arguments}".strip() + f": {meaning}."


def help_lines():
    return [f"{f'mpi {word} {arguments}':<38} {meaning}" for word, (_, arguments, meaning) in COMMANDS.items()]


def records(table, text, evaluate):
    handle = handle_in(text, evaluate)
    found = [record_of(table, handle, word) for word, _ in texts_of(table, handle)]
    return [record for record in found if record]


def nothing(text):
    return [f"callsign knows no such handle: {text}"]
