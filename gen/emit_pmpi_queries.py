"""Writes pmpi_queries.h and pmpi_queries.c: callsign's own queries to the MPI, and the answers if the MPI lacks the function."""

from . import standard
from .problem import Collector
from .text import BANNER, spaced, wrap_call

HEADER = """\
#ifndef CS_GENERATED_PMPI_QUERIES_H
#define CS_GENERATED_PMPI_QUERIES_H

#include <stddef.h>

#include "whole_mpi.h"

/* Queries that bypass callsign and other tools: PMPI_x, or what the MPI has instead. wrappers/mpi/find.c finds them before the first one. Where
   the MPI has none, the answer is that of gen/standard/pmpi_queries.txt. */
struct cs_mpi {{
{slots}
}};
extern struct cs_mpi cs_mpi __attribute__((visibility("hidden")));

struct cs_pmpi_query {{
    const char *name;      /* of the MPI function */
    const char *pmpi_name; /* "PMPI_Comm_size" */
    void **slot;           /* its pointer in cs_mpi */
    void *pmpi;            /* PMPI_Comm_size; NULL if there is none or this library was not linked with the MPI */
}};
extern const struct cs_pmpi_query cs_pmpi_queries[];
extern const size_t cs_pmpi_query_count;

/* cs_mpi_Comm_size is MPI_Comm_size, except that it is not recorded. */
{functions}
#endif
"""

SOURCE = """\
#include "pmpi_queries.h"

#include <stdint.h>

#include "wrappers/mpi/quirks.h"

/* Looked up weakly, so that a library that lacks one, or that is loaded later, gives NULL. As bytes: their types say nothing here. */
{weak}

/* Answers in place of a function that the MPI lacks. */
{answers}
struct cs_mpi cs_mpi = {{
{initial}
}};

const struct cs_pmpi_query cs_pmpi_queries[] = {{
{entries}
}};
const size_t cs_pmpi_query_count = sizeof cs_pmpi_queries / sizeof cs_pmpi_queries[0];
"""


class Table:
    """The functions that callsign calls itself, and those that are only macros in this mpi.h."""

    def __init__(self, functions, macros):
        self.known = standard.prototypes()
        self.queries = standard.pmpi_queries()
        self.macros = {each.name for each in self.queries if each.name in macros and each.name not in functions}

    def found(self):
        """The queries that have a pointer: not macros."""
        return [each for each in self.queries if each.name not in self.macros]

    def check(self, prototypes):
        """Raises Problems if an mpi.h declares a function with other arguments than gen/standard."""
        problems = Collector()
        for each in self.queries:
            here, ours = prototypes.get(each.name), self.known[each.name]
            if here and shape(here) != shape(ours):
                problems.add(each.name, f"declared at {here.where} with other arguments than in gen/standard: callsign cannot ask it")
        problems.raise_if_any()


def shape(prototype):
    """The types of its parameters. MPI_Fint is a macro in Open MPI, so its real type stands for it."""
    return [(parameter.type.base.replace("MPI_Fint", "int"), parameter.type.pointers) for parameter in prototype.parameters]


def parameters(prototype):
    return [each.text for each in prototype.parameters]


def names(prototype):
    return [each.name for each in prototype.parameters]


def header(table):
    slots = [line for each in table.found() for line in slot(each.short, table.known[each.name])]
    functions = "\n".join(line for each in table.queries for line in function(table, each))
    return BANNER.format(source="gen/standard/pmpi_queries.txt") + HEADER.format(slots="\n".join(slots), functions=functions)


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
    return BANNER.format(source="gen/standard/pmpi_queries.txt") + SOURCE.format(weak=weak, answers=answers, initial=initial, entries=entries)


def weak_line(symbol):
    """The address of a function that may be missing, whatever a header declares: `cs_weak_PMPI_Send`."""
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
    """`same`: a handle and its number in Fortran are the same int."""
    if each.answer != "same":
        return "MPI_ERR_OTHER" if each.answer == "fails" else "MPI_SUCCESS"
    name, kind = names(prototype)[0], prototype.parameters[0].type.base
    if prototype.result == "MPI_Fint":
        return f"sizeof({kind}) == sizeof(MPI_Fint) ? (MPI_Fint)(intptr_t){name} : 0"
    return f"({prototype.result})(sizeof({prototype.result}) == sizeof(MPI_Fint) ? (intptr_t){name} : 0)"
