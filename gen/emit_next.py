"""Writes next.h and next.c: for every function of this MPI, the pointer that its wrapper calls."""

from .header import INCLUDES
from .text import BANNER, spaced, wrap_call

HEADER = """\
#ifndef CS_GENERATED_NEXT_H
#define CS_GENERATED_NEXT_H

/* Before mpi.h is included for the first time: Open MPI hides functions of MPI-1 that it still exports. */
{includes}
#include <stddef.h>

/* Wrappers of deprecated functions name them and their types; that is no mistake here. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* What the program and other tools see of callsign. */
#define CS_EXPORT __attribute__((visibility("default")))
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
    void *pmpi;            /* PMPI_Send; NULL if there is none or this library was not linked with the MPI */
}};
extern const struct cs_next_entry cs_next_entries[];
extern const size_t cs_next_count;

#endif
"""

SOURCE = """\
#include "next.h"

struct cs_next cs_next;

/* Looked up weakly, so that a library that lacks one, or that is loaded later, gives NULL. */
{weak}

const struct cs_next_entry cs_next_entries[] = {{
{entries}
}};
const size_t cs_next_count = sizeof cs_next_entries / sizeof cs_next_entries[0];
"""


def header(pairs, macros):
    slots = [line for _, prototype in pairs for line in slot(prototype)]
    names = [prototype.name for _, prototype in pairs if prototype.name in macros]
    undefs = "".join(f"#undef {name}\n" for name in names)
    if undefs:
        undefs = "\n/* Macros that hide functions of the same name. */\n" + undefs
    return BANNER.format(source="gen/spec") + HEADER.format(includes=INCLUDES, slots="\n".join(slots), undefs=undefs)


def slot(prototype):
    parameters = [parameter.text for parameter in prototype.parameters] or ["void"]
    if prototype.variadic:
        parameters.append("...")
    return wrap_call(f"    {spaced(prototype.result)}(*{prototype.name})(", parameters, ");")


def source(pairs, symbols):
    names = [prototype.name for _, prototype in pairs]
    weak = "\n".join(f"#pragma weak {symbols.pmpi_name(name)}" for name in names if symbols.has_pmpi(name))
    entries = "\n".join(line for name in names for line in entry(name, symbols))
    return BANNER.format(source="gen/spec") + SOURCE.format(weak=weak, entries=entries)


def entry(name, symbols):
    # Without a PMPI name there is nothing to point to: the name itself is the wrapper.
    pmpi = f"(void *){symbols.pmpi_name(name)}" if symbols.has_pmpi(name) else "NULL"
    fields = [f'"{name}"', f'"{symbols.pmpi_name(name)}"', f"(void **)&cs_next.{name}", pmpi]
    return wrap_call("    {", fields, "},")
