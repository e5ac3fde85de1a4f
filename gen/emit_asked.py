"""Writes asked.h and asked.c: the table of what callsign itself asks of the MPI, and what it takes for the answer of an MPI without it."""

from . import standard
from .problem import Collector
from .text import BANNER, spaced, wrap_call

HEADER = """\
#ifndef CS_GENERATED_ASKED_H
#define CS_GENERATED_ASKED_H

#include <stddef.h>

#include "whole_mpi.h"

/* What is asked, past callsign and other tools: PMPI_x, or what the MPI has instead. wrappers/mpi/find.c finds them before the first question;
   where there is none, the answer is the one of gen/standard/asked.txt. */
struct cs_mpi {{
{slots}
}};
extern struct cs_mpi cs_mpi __attribute__((visibility("hidden")));

struct cs_asked {{
    const char *name;      /* of the MPI function */
    const char *pmpi_name; /* "PMPI_Comm_size" */
    void **slot;           /* its pointer in cs_mpi */
    void *pmpi;            /* PMPI_Comm_size; NULL if there is none or this library was not linked with the MPI */
}};
extern const struct cs_asked cs_asked[];
extern const size_t cs_asked_count;

/* The way to ask: cs_mpi_Comm_size is MPI_Comm_size, except that nothing of it is recorded. */
{functions}
#endif
"""

SOURCE = """\
#include "asked.h"

#include <stdint.h>

#include "wrappers/mpi/instead.h"

/* Looked up weakly, so that a library that lacks one, or that is loaded later, gives NULL. As bytes: their types say nothing here. */
{weak}

/* Answers in place of a function that the MPI lacks. */
{answers}
struct cs_mpi cs_mpi = {{
{initial}
}};

const struct cs_asked cs_asked[] = {{
{entries}
}};
const size_t cs_asked_count = sizeof cs_asked / sizeof cs_asked[0];
"""


class Table:
    """The functions that are asked, and which of them are only macros in this mpi.h."""

    def __init__(self, functions, macros):
        self.known = standard.prototypes()
        self.asked = standard.asked()
        self.macros = {each.name for each in self.asked if each.name in macros and each.name not in functions}

    def found(self):
        """Those that have a pointer."""
        return [each for each in self.asked if each.name not in self.macros]

    def check(self, prototypes):
        """Raises Problems where an mpi.h declares a function with other arguments than gen/standard."""
        problems = Collector()
        for each in self.asked:
            here, ours = prototypes.get(each.name), self.known[each.name]
            if here and shape(here) != shape(ours):
                problems.add(each.name, f"declared at {here.where} with other arguments than in gen/standard: callsign cannot ask it")
        problems.raise_if_any()


def shape(prototype):
    """Its types; MPI_Fint, which is a macro in Open MPI, as what it is everywhere."""
    return [(parameter.type.base.replace("MPI_Fint", "int"), parameter.type.pointers) for parameter in prototype.parameters]


def parameters(prototype):
    return [each.text for each in prototype.parameters]


def names(prototype):
    return [each.name for each in prototype.parameters]


def header(table):
    slots = [line for each in table.found() for line in slot(each.short, table.known[each.name])]
    functions = "\n".join(line for each in table.asked for line in function(table, each))
    return BANNER.format(source="gen/standard/asked.txt") + HEADER.format(slots="\n".join(slots), functions=functions)


def slot(name, prototype):
    return wrap_call(f"    {spaced(prototype.result)}(*{name})(", parameters(prototype), ");")


def function(table, each):
    prototype = table.known[each.name]
    native = each.name if each.name in table.macros else f"cs_mpi.{each.short}"
    lines = wrap_call(f"static inline {spaced(prototype.result)}cs_mpi_{each.short}(", parameters(prototype), ")")
    return lines + ["{"] + wrap_call(f"    return {native}(", names(prototype), ");") + ["}"]


def source(table):
    found = table.found()
    weak = "\n".join(weak_line("P" + each.name) for each in found)
    answers = "\n".join(answer(each, table.known[each.name]) for each in found if not each.answer.startswith("cs_"))
    initial = "\n".join(f"    .{each.short} = {each.answer if each.answer.startswith('cs_') else answer_name(each)}," for each in found)
    entries = "\n".join(line for each in found for line in entry(each))
    return BANNER.format(source="gen/standard/asked.txt") + SOURCE.format(weak=weak, answers=answers, initial=initial, entries=entries)


def weak_line(symbol):
    """The address of a function that may not be there, whatever a header says of it: `cs_weak_PMPI_Send`."""
    return f'extern char cs_weak_{symbol}[] __asm__("{symbol}") __attribute__((weak));'


def entry(each):
    return wrap_call("    {", [f'"{each.name}"', f'"P{each.name}"', f"(void **)&cs_mpi.{each.short}", f"cs_weak_P{each.name}"], "},")


def answer_name(each):
    return f"without_{each.short}"


def answer(each, prototype):
    lines = wrap_call(f"static {spaced(prototype.result)}{answer_name(each)}(", parameters(prototype), ")") + ["{"]
    values = dict(pair.split("=") for pair in each.answer.split(",")) if "=" in each.answer else {}
    for position, name in enumerate(names(prototype), 1):
        text = f"*{name} = {values[str(position)]};" if str(position) in values else f"(void){name};"
        lines += [f"    {text}"] if each.answer != "same" else []
    return "\n".join(lines + [f"    return {returned(each, prototype)};", "}"]) + "\n"


def returned(each, prototype):
    """`same`: what a handle and its number in Fortran have in common."""
    if each.answer != "same":
        return "MPI_ERR_OTHER" if each.answer == "fails" else "MPI_SUCCESS"
    name, kind = names(prototype)[0], prototype.parameters[0].type.base
    if prototype.result == "MPI_Fint":
        return f"sizeof({kind}) == sizeof(MPI_Fint) ? (MPI_Fint)(intptr_t){name} : 0"
    return f"({prototype.result})(sizeof({prototype.result}) == sizeof(MPI_Fint) ? (intptr_t){name} : 0)"
