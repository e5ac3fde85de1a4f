"""Writes next.h and next.c: for each function of this MPI, the pointer to the native function."""

from .emit_pmpi_queries import weak_line
from .text import BANNER, spaced, wrap_call

HEADER = """\
#ifndef CS_GENERATED_NEXT_H
#define CS_GENERATED_NEXT_H

#include <stddef.h>

#include "whole_mpi.h"

/* The symbols that the program and other tools see. */
#define CS_EXPORT __attribute__((visibility("default")))

/* The functions of this MPI. */
{has}
{undefs}
/* The function that a wrapper calls: the next one in the search order of the program, or the MPI's own. */
struct cs_next {{
{slots}
}};
extern struct cs_next cs_next __attribute__((visibility("hidden")));

struct cs_next_entry {{
    const char *name;      /* of the MPI function */
    const char *pmpi_name; /* "PMPI_Send"; as above if the library has no such name */
    void **slot;           /* its pointer in cs_next */
    void *pmpi;            /* PMPI_Send; NULL if there is none or this library was not linked with the MPI. */
}};
extern const struct cs_next_entry cs_next_entries[];
extern const size_t cs_next_count;

#endif
"""

SOURCE = """\
#include "next.h"

struct cs_next cs_next;

/* Looked up weakly, so that a library that lacks one, or that is loaded later, gives NULL. As bytes: their types say nothing here. */
{weak}

const struct cs_next_entry cs_next_entries[] = {{
{entries}
}};
const size_t cs_next_count = sizeof cs_next_entries / sizeof cs_next_entries[0];
"""


def header(pairs, macros):
    slots = [line for _, prototype in pairs for line in slot(prototype)]
    has = "\n".join(f"#define CS_HAS_{prototype.name} 1" for _, prototype in pairs)
    names = [prototype.name for _, prototype in pairs if prototype.name in macros]
    undefs = "".join(f"#undef {name}\n" for name in names)
    if undefs:
        undefs = "\n/* Macros that hide functions of the same name. */\n" + undefs
    return BANNER.format(source="gen/spec") + HEADER.format(slots="\n".join(slots), has=has, undefs=undefs)


def slot(prototype):
    parameters = [parameter.text for parameter in prototype.parameters] or ["void"]
    if prototype.variadic:
        parameters.append("...")
    return wrap_call(f"    {spaced(prototype.result)}(*{prototype.name})(", parameters, ");")


def source(pairs, symbols):
    names = [prototype.name for _, prototype in pairs]
    weak = "\n".join(weak_line("P" + name) for name in names)
    entries = "\n".join(line for name in names for line in entry(name, symbols))
    return BANNER.format(source="gen/spec") + SOURCE.format(weak=weak, entries=entries)


def entry(name, symbols):
    fields = [f'"{name}"', f'"{symbols.pmpi_name(name)}"', f"(void **)&cs_next.{name}", f"cs_weak_P{name}"]
    return wrap_call("    {", fields, "},")
