"""Writes what is equal for all MPIs: numbers, names and classes of the functions, and the names for preload/."""

from .text import BANNER

HEADER = """\
#ifndef CS_GENERATED_FUNCTIONS_H
#define CS_GENERATED_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>

/* The number of an MPI function: the same in all traces, for ever. 0 is none. */
enum cs_function_number {{
{numbers}
    CS_FUNCTION_MAX = {most} /* the largest one */
}};

struct cs_function {{
    uint16_t number;
    const char *name;  /* of the C function: "MPI_Send" */
    const char *class; /* what it is for: "point-to-point" */
}};

/* All functions that callsign knows, sorted by number. */
extern const struct cs_function cs_functions[];
extern const size_t cs_function_count;

/* The same for debuggers, a line each: "1000 MPI_Send". It can be written to so that it lies in memory that is in cores. */
extern char cs_function_text[];
extern const size_t cs_function_text_bytes;

/* The function with this number; NULL if there is none. */
const struct cs_function *cs_function_find(uint16_t number);

#endif
"""

SOURCE = """\
#include "functions.h"

const struct cs_function cs_functions[] = {{
{entries}
}};
const size_t cs_function_count = sizeof cs_functions / sizeof cs_functions[0];

char cs_function_text[] =
{lines};
const size_t cs_function_text_bytes = sizeof cs_function_text - 1;

const struct cs_function *cs_function_find(uint16_t number)
{{
    size_t low = 0, high = cs_function_count;

    while (low < high) {{
        size_t middle = low + (high - low) / 2;

        if (cs_functions[middle].number == number)
            return &cs_functions[middle];
        if (cs_functions[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }}
    return NULL;
}}
"""

COMMON_BANNER = BANNER.replace(" and the mpi.h at hand: change those", ": change that")


def header(functions):
    numbers = "\n".join(f"    CS_{function.name} = {function.number}," for function in functions)
    return COMMON_BANNER.format(source="gen/spec") + HEADER.format(numbers=numbers, most=functions[-1].number)


def source(functions):
    entries = "\n".join(f'    {{{function.number}, "{function.name}", "{function.klass}"}},' for function in functions)
    lines = "\n".join(f'    "{function.number} {function.name}\\n"' for function in functions)
    return COMMON_BANNER.format(source="gen/spec") + SOURCE.format(entries=entries, lines=lines)


def names(functions):
    return "".join(function.name + "\n" for function in functions)
