"""Writes the Fortran entry points of one MPI. Each does what a C wrapper does, around a call of the native entry point with the arguments unchanged."""

from . import passed_on
from .emit_pmpi_queries import weak_line
from .emit_body import Wrapper
from .emit_wrappers import wrapper
from .problem import Problems
from .text import BANNER, wrap_call

HEADER = """\
#ifndef CS_GENERATED_FORTRAN_NEXT_H
#define CS_GENERATED_FORTRAN_NEXT_H

#include <stddef.h>

#include "whole_mpi.h"

/* Fortran calls these without prototypes of C. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Another spelling of an entry point. */
#define CS_FORTRAN_ALIAS(name, spelling) \\
    extern __typeof__(name) spelling __attribute__((alias(#name), visibility("default")))

/* Types of entry points: addresses, then lengths. cs_fortran_5_1 takes five addresses and the length of one character argument. */
{types}

/* The number of each in cs_fortran_entries. */
enum cs_fortran_number {{
{numbers}
    CS_FORTRAN_ENTRIES
}};

struct cs_fortran_entry {{
    const char *name;      /* of the entry point */
    const char *pmpi_name; /* its other name, which is not intercepted; the same if it has none */
    void *copied;          /* pmpi_send_, which it is called in the copy of a static MPI; NULL: the program has no such copy */
}};
extern const struct cs_fortran_entry cs_fortran_entries[];
/* The function that an entry point forwards to: the next of its name in the search order of the program, or pmpi_name. NULL: not looked up yet. */
extern void *_Atomic cs_fortran_natives[];

/* Places of a status' words in Fortran, from 1, as mpif.h says; 0: it has no such word. */
enum {{
    CS_MPIF_STATUS_SIZE = {status_size},
    CS_MPIF_SOURCE = {source},
    CS_MPIF_TAG = {tag},
    CS_MPIF_ERROR = {error}
}};

#endif
"""

SOURCE = """\
#include "fortran_next.h"

/* Looked up weakly: only programs that were linked with such a copy have them. */
{weak}

const struct cs_fortran_entry cs_fortran_entries[] = {{
{entries}
    {{NULL, NULL, NULL}},
}};
void *_Atomic cs_fortran_natives[CS_FORTRAN_ENTRIES + 1];
"""

FORTRAN_BANNER = BANNER.replace("the mpi.h at hand", "the Fortran libraries at hand")
ERROR = "cs_ierror"


# The MPI-1 functions whose attributes and extra state are INTEGER in Fortran. In all others they have the size of an address.
SMALL_ATTRIBUTES = ("MPI_Attr_put", "MPI_Attr_get", "MPI_Keyval_create")


class EntryPoint(Wrapper):
    """The wrapper of a Fortran entry point."""

    native = "cs_native"
    entering = "cs_enter_fortran"
    repeats = "cs_was_checked"

    def __init__(self, entry):
        super().__init__(entry.function, entry.prototype)
        self.entry = entry
        self.result = entry.prototype.result
        self.code = f"cs_fortran_integer({ERROR})" if entry.has_error else ""

    def declarations(self):
        return error_lines(self.entry)[0]

    def opening(self):
        kind = shape_name(*shape(self.entry))
        return error_lines(self.entry)[1] + [f"    {kind} cs_native = ({kind})cs_fortran_native({number(self.entry.name)});"]

    def arguments(self):
        return addresses(self.entry) + lengths(self.entry)

    def is_ignored(self, status):
        return f"cs_fortran_ignores_status({status})"

    def guarded(self, use):
        return self.statements([use], 4)

    def argument(self, position, argument):
        strings = self.entry.strings
        details = {
            "buffer": "cs_fortran_descriptor" if self.entry.descriptors else "cs_fortran_buffer",
            "attribute": "sizeof(MPI_Fint)" if self.function.name in SMALL_ATTRIBUTES else "sizeof(MPI_Aint)",
            "language": "CS_LANGUAGE_F08" if "_f08" in self.entry.name else "CS_LANGUAGE_FORTRAN",
            "length": f"cs_length{strings.index(position) + 1}" if position in strings else "",
        }
        return argument.fortran_text(self.prototype.parameters[position - 1], **details)

    def is_true(self, position):
        return f"cs_fortran_integer({self.name_at(position)})"

    def function_of(self, role):
        return (self.function.wait and role.waiting) or role.fortran or role.function


def header(entries, c_names=(), mpif=None):
    """c_names: C functions in the Fortran libraries; mpif: the constants of mpif.h."""
    shapes = sorted({shape(entry) for entry in entries} | {("void", count, 0) for count in range(1, 11)} | {("void", 4, 1)})
    types = "\n".join(line for each in shapes for line in shape_type(*each))
    numbers = "\n".join(f"    {number(name)}," for name in [entry.name for entry in entries] + list(c_names))
    status = {word: (mpif or {}).get(f"MPI_{word}".upper(), 0) for word in ("status_size", "source", "tag", "error")}
    return FORTRAN_BANNER.format(source="gen/spec") + HEADER.format(types=types, numbers=numbers, **status)


def source(entries, c_names=()):
    copied = [twin(entry.name) for entry in entries if entry.pmpi_name == entry.name]
    lines = [line for entry in entries for line in entry_line(entry.name, entry.pmpi_name)]
    lines += [line for name in c_names for line in entry_line(name, "P" + name)]
    weak = "\n".join(map(weak_line, copied) if copied else ["/* none */"])
    return FORTRAN_BANNER.format(source="gen/spec") + SOURCE.format(entries="\n".join(lines), weak=weak)


def entry_line(name, pmpi_name):
    return wrap_call("    {", [f'"{name}"', f'"{pmpi_name}"', f"cs_weak_{twin(name)}" if name == pmpi_name else "NULL"], "},")


def twin(name):
    """The name that callsign-static-mpi gives to a copied function."""
    return ("p" if name[0] == "m" else "P") + name


def can_be_written(entry, passed):
    """True if the entry point can be written. False if an argument cannot be decoded and `passed` (PassedOn) accepts the name. Raises Problems if it may
    not."""
    try:
        entry_point(entry)
    except Problems:
        if not passed.take(entry.name, passed_on.OTHER, extension=True):
            raise
    return entry.name not in passed


def names(entries):
    return "".join(name + "\n" for entry in entries for name in (entry.name, *entry.aliases))


def chapter_source(chapter, entries, c_pairs=()):
    """The C file of a chapter. c_pairs are (Function, Prototype) of C functions in the Fortran libraries."""
    head = FORTRAN_BANNER.format(source=f"gen/spec/{chapter}.spec")
    includes = '#define CS_ALL_ARE_RECORDED /* see call.h */\n\n#include "fortran_next.h"\n\n#include "functions.h"\n#include "next.h"\n#include "wrappers/fortran/fortran.h"\n#include "wrappers/roles.h"\n'
    forward = "((__typeof__(&{0}))cs_fortran_native(CS_NATIVE_{0}))"
    in_c = "".join("\n" + wrapper(function, prototype, forward) for function, prototype in c_pairs)
    return head + includes + "".join("\n" + entry_point(entry) for entry in entries) + in_c


def number(name):
    return f"CS_NATIVE_{name}"


def shape(entry):
    return entry.prototype.result, len(addresses(entry)), len(entry.strings)


def shape_name(result, pointers, lengths):
    kind = "" if result == "void" else f"_{result}".lower()
    return f"cs_fortran{kind}_{pointers}" + (f"_{lengths}" if lengths else "")


def shape_type(result, pointers, lengths):
    parameters = ["void *"] * pointers + ["size_t"] * lengths or ["void"]
    return wrap_call(f"typedef {result} (*{shape_name(result, pointers, lengths)})(", parameters, ");")


def addresses(entry):
    return [each.name for each in entry.prototype.parameters] + ([ERROR] if entry.has_error else [])


def lengths(entry):
    return [f"cs_length{count}" for count in range(1, len(entry.strings) + 1)]


def entry_point(entry):
    parameters = [f"void *{name}" for name in addresses(entry)] + [f"size_t {name}" for name in lengths(entry)] or ["void"]
    lines = [f"/* {entry.function} */"]
    lines += wrap_call(f"CS_EXPORT {entry.prototype.result} {entry.name}(", parameters, ")")
    lines += ["{"] + (manual_body(entry) if entry.function.manual else EntryPoint(entry).body()) + ["}"]
    lines += [f"CS_FORTRAN_ALIAS({entry.name}, {alias});" for alias in entry.aliases]
    return "\n".join(lines) + "\n"


def error_lines(entry):
    """In mpi_f08 the error code is optional, but the wrapper must know whether the call succeeded."""
    if not entry.has_error:
        return [], []
    return ["    MPI_Fint cs_error;"], [f"    if (!{ERROR})", f"        {ERROR} = &cs_error;"]


def manual_body(entry):
    declared, checked = error_lines(entry)
    name = "cs_fortran_" + entry.function.name.split("_", 1)[1].lower()
    arguments = [f"cs_fortran_native({number(entry.name)})", "__builtin_return_address(0)"] + addresses(entry) + lengths(entry)
    return declared + ([""] if declared else []) + checked + wrap_call(f"    {name}(", arguments, ");")
