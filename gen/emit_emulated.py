"""Writes emulated.h and emulated.c: callsign's own versions of the functions in gen/standard/emulated.txt, and their tables."""

import os
import re
from dataclasses import dataclass

from . import standard
from .problem import Collector
from .text import BANNER, spaced, wrap_call

KINDS = {"comm": "COMMUNICATOR", "type": "DATATYPE", "win": "WINDOW"}
FAMILIES = [f"{what}:{kind}" for what in ("names", "attributes") for kind in KINDS]

HEADER = """\
#ifndef CS_GENERATED_EMULATED_H
#define CS_GENERATED_EMULATED_H

#include <stddef.h>

#include "next.h"

/* A family is served whole: keyvals of one are of no use to the other's functions. */
enum cs_family {{
{families}
    CS_FAMILIES
}};

struct cs_emulated_function {{
    enum cs_family family, or_family; /* it is replaced where one of them is served */
    void **slot;                      /* in cs_next */
    void *own;
    void **query; /* in cs_mpi: callsign itself calls it; NULL: never */
    void **newer; /* of a function of MPI-1: what has taken its place */
    int routine;  /* the family is served where the MPI lacks it */
}};
extern const struct cs_emulated_function cs_emulated_functions[];
extern const size_t cs_emulated_count;

/* A Fortran entry point that callsign replaces if it replaces the C function. The routine serves all bindings: their arguments are the same. */
struct cs_emulated_entry {{
    const char *name;      /* without decorations of compilers and bindings */
    void **next, **of_mpi; /* the C function: the pointer that wrappers call, and the MPI's own */
    void *in_c, *own;
    void *_Atomic *native; /* where the routine finds the native Fortran function; stays NULL if the MPI lacks the C function */
}};
/* Those that take handles only; the rest is in wrappers/fallback/emulated_fortran.c. */
extern const struct cs_emulated_entry cs_emulated_entries[];
extern const size_t cs_emulated_entry_count;

{functions}
#endif
"""

SOURCE = """\
#include "emulated.h"

#include <string.h>

#include "pmpi_queries.h"
#include "wrappers/fallback/emulated_attribute.h"
#include "wrappers/fallback/emulated_lifetime.h"
#include "wrappers/fallback/emulated_name.h"
#include "wrappers/fallback/underlying_mpi.h"
#include "wrappers/mpi/handle.h"

{functions}
const struct cs_emulated_function cs_emulated_functions[] = {{
{entries}
    {{.slot = NULL}}, /* an MPI may have none of them */
}};
const size_t cs_emulated_count = sizeof cs_emulated_functions / sizeof *cs_emulated_functions - 1;

/* ---- Fortran ---- */

{routines}
const struct cs_emulated_entry cs_emulated_entries[] = {{
{fortran}
    {{.name = NULL}},
}};
const size_t cs_emulated_entry_count = sizeof cs_emulated_entries / sizeof *cs_emulated_entries - 1;
"""

# The bodies of a family's functions, by the end of their names. {kind} and {native} are filled in; {0}, {1}, ... are the parameters.
NATIVE = "    if ({native} && cs_fallback_is_to_change({key}))\n        return {native}({all});\n"
ROUTINES = {
    "set_name": "    return cs_fallback_set_name({kind}, CS_KEY({0}), {1}, {1} ? strlen({1}) : 0);\n",
    "get_name": "    return cs_fallback_get_name({kind}, CS_KEY({0}), {1}, {2});\n",
    "free_keyval": "    return cs_fallback_free_keyval_in_c({kind}, {0}, {native});\n",
    "set_attr": NATIVE + "    return cs_fallback_set_attr({kind}, CS_KEY({0}), {1}, cs_value_of_c({2}));\n",
    "get_attr": "    if (__builtin_expect(cs_emulated_keyval_is({1}), 1) || !{native} || !cs_fallback_is_to_get({kind}, {1}))\n"
                "        return cs_fallback_get_attr_in_c({kind}, CS_KEY({0}), {1}, {2}, {3});\n"
                "    return {native}({all});\n",
    "delete_attr": NATIVE + "    return cs_fallback_delete_attr({kind}, CS_KEY({0}), {1});\n",
}
DUPLICATES = """\
    struct cs_emulated_copies *copies;
    int result = cs_fallback_copy({kind}, CS_KEY({0}), &copies);
    if (result != MPI_SUCCESS) {{
{nulls}        return result;
    }}
    result = {native}({all});
    return cs_fallback_attach_copies({kind}, {made} ? CS_KEY(*{made}) : 0, copies, result);
"""
NO_DUPLICATE = """\
    cs_fallback_making++;
    int result = {native}({all});
    cs_fallback_making--;
    return result;
"""
WINDOW = """\
    int result = {native}({all});
    if (result == MPI_SUCCESS)
        cs_fallback_keep_window(*{last}, MPI_WIN_FLAVOR_{flavor}, {base}, {size}, {unit});
    return result;
"""
# function that makes a window -> its flavor, and the parameters with address, size and unit of its memory
WINDOWS = {
    "create": ("CREATE", "{0}", "{1}", "{2}"),
    "allocate": ("ALLOCATE", "*(void **){4}", "{0}", "{1}"),
    "allocate_shared": ("SHARED", "*(void **){4}", "{0}", "{1}"),
    "create_dynamic": ("DYNAMIC", "MPI_BOTTOM", "0", "1"),
}
# Handles -> the middle of the names of the functions that convert them from and to Fortran.
CONVERTED = {"MPI_Comm": "Comm", "MPI_Datatype": "Type", "MPI_Info": "Info", "MPI_Request": "Request", "MPI_Win": "Win"}


@dataclass(frozen=True)
class Emulated:
    """A line of emulated.txt."""

    name: str
    families: tuple
    form: str  # routine, old, duplicates, no-duplicate, window, by-hand
    newer: str
    by_hand: bool

    @property
    def own(self):
        return self.name.replace("MPI_", "cs_fallback_")

    @property
    def kind(self):
        return "CALLSIGN_" + KINDS[self.families[0].partition(":")[2]]


def read():
    """All lines of emulated.txt. Raises Problems."""
    problems, found = Collector(), []
    with open(os.path.join(standard.FOLDER, "emulated.txt"), encoding="utf-8") as file:
        for count, line in enumerate(file, 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            where = f"gen/standard/emulated.txt:{count}"
            families = tuple(words[1].split(",")) if len(words) > 2 else ()
            if not families or set(families) - set(FAMILIES):
                problems.add(where, "expected `function family[,family] form`; the first lines of the file say which there are")
            elif not re.fullmatch(r"(routine|old:MPI_\w+)( by-hand)?|duplicates|no-duplicate|window|by-hand", " ".join(words[2:])):
                problems.add(where, f"{' '.join(words[2:])}: there is no such form; the first lines of the file say which there are")
            else:
                form, _, newer = words[2].partition(":")
                found.append(Emulated(words[0], families, form, newer, "by-hand" in words[2:]))
    problems.raise_if_any()
    return found


def here(pairs):
    """The lines whose functions this MPI or its substitute declares, with their prototypes."""
    prototypes = {prototype.name: prototype for _, prototype in pairs}
    return [(each, prototypes[each.name]) for each in read() if each.name in prototypes]


def constant(family):
    what, _, kind = family.partition(":")
    return f"CS_{what.upper()}_OF_{KINDS[kind]}S"


def signature(each, prototype, closing):
    return wrap_call(f"{spaced(prototype.result)}{each.own}(", [parameter.text for parameter in prototype.parameters] or ["void"], closing)


def header(pairs):
    families = "\n".join(f"    {constant(family)}," for family in FAMILIES)
    functions = "\n".join(line for each, prototype in here(pairs) for line in signature(each, prototype, ");"))
    return BANNER.format(source="gen/standard/emulated.txt") + HEADER.format(families=families, functions=functions)


def source(pairs):
    chosen = here(pairs)
    functions = "\n".join(line for each, prototype in chosen if not each.by_hand for line in definition(each, prototype))
    queries = {query.name for query in standard.pmpi_queries()}
    entries = "\n".join(entry(each, queries) for each, _ in chosen)
    in_fortran = [(each, prototype) for each, prototype in chosen if takes_handles_only(prototype)]
    routines = "\n".join(line for each, prototype in in_fortran for line in fortran_routine(each, prototype))
    fortran = "\n".join(line for each, _ in in_fortran for line in fortran_entry(each))
    return BANNER.format(source="gen/standard/emulated.txt") + SOURCE.format(functions=functions, entries=entries, routines=routines, fortran=fortran)


def definition(each, prototype):
    return signature(each, prototype, ")") + ["{", body(each, prototype).rstrip("\n"), "}", ""]


def body(each, prototype):
    names = [parameter.name for parameter in prototype.parameters]
    native = f"cs_native.{each.name}"
    if each.form == "old" and not each.newer.endswith("_free_keyval"):  # the MPI may have only the old function
        return f"    return {each.newer.replace('MPI_', 'cs_fallback_')}({', '.join(names)});\n"
    if each.form == "window":
        return window_body(each, names)
    template = {"duplicates": DUPLICATES, "no-duplicate": NO_DUPLICATE}.get(each.form) or ROUTINES[(each.newer or each.name).split("_", 2)[2]]
    made = [parameter for parameter in prototype.parameters if parameter.type.pointers]
    nulls = "".join(f"        *{parameter.name} = {null_of(parameter.type.base)};\n" for parameter in made)
    key = names[1] if len(names) > 1 else names[0]
    return template.format(*names, kind=each.kind, native=native, all=", ".join(names), nulls=nulls, made=made[0].name if made else "", key=key)


def window_body(each, names):
    flavor, base, size, unit = (text.format(*names) for text in WINDOWS[each.name.removeprefix("MPI_Win_").removesuffix("_c")])
    return WINDOW.format(native=f"cs_native.{each.name}", all=", ".join(names), last=names[-1], flavor=flavor, base=base, size=size, unit=unit)


def null_of(handle):
    return f"{handle.upper()}_NULL"


def entry(each, queries):
    fields = [f".family = {constant(each.families[0])}", f".or_family = {constant(each.families[-1])}",
              f".slot = (void **)&cs_next.{each.name}", f".own = (void *){each.own}"]
    if each.form == "routine":
        fields.append(".routine = 1")
        if each.name in queries:
            fields.append(f".query = (void **)&cs_mpi.{each.name.removeprefix('MPI_')}")
    if each.newer:
        fields.append(f".newer = (void **)&cs_next.{each.newer}")
    return "\n".join(wrap_call("    {", fields, "},"))


def takes_handles_only(prototype):
    return all(parameter.type.base in CONVERTED for parameter in prototype.parameters)


def fortran_routine(each, prototype):
    """The subroutine: converts handles, calls the C function, converts what it returns. A failed free leaves its argument."""
    frees = each.name.endswith(("_free", "_disconnect"))
    before, arguments, after = [], [], []
    for parameter in prototype.parameters:
        name, handle = parameter.name, parameter.type.base
        from_fortran, to_fortran = (f"cs_mpi_{CONVERTED[handle]}_{way}" for way in ("f2c", "c2f"))
        if not parameter.type.pointers:
            arguments.append(f"{from_fortran}(*{name})")
            continue
        before.append(f"    {handle} in_c_{name} = {from_fortran + f'(*{name})' if frees else null_of(handle)};")
        arguments.append(f"&in_c_{name}")
        after += ["    if (*cs_ierror == MPI_SUCCESS)"] if frees else []
        after.append(f"    {'    ' if frees else ''}*{name} = {to_fortran}(in_c_{name});")
    parameters = [f"MPI_Fint *{parameter.name}" for parameter in prototype.parameters] + ["MPI_Fint *cs_ierror"]
    opening = wrap_call(f"static void fortran_{each.name.removeprefix('MPI_')}(", parameters, ")")
    return opening + ["{", *before, *wrap_call(f"    *cs_ierror = {each.own}(", arguments, ");"), *after, "}", ""]


def fortran_entry(each):
    name = each.name
    fields = [f".name = \"{name.lower()}\"", f".next = (void **)&cs_next.{name}", f".of_mpi = (void **)&cs_native.{name}",
              f".in_c = (void *){each.own}", f".own = (void *)fortran_{name.removeprefix('MPI_')}"]
    return wrap_call("    {", fields, "},")
