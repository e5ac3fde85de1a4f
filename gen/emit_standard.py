"""Writes whole_mpi.h: mpi.h completed by what it lacks. Also writes the part for programs, names_<flavour>.h."""

import dataclasses
import re

from . import mpif, standard
from .header import INCLUDES
from .probe import lacking
from .text import BANNER

NAMES = """\
/* Names and attributes that this MPI's mpi.h lacks; include it by callsign/mpi_names.h. */
#ifdef __cplusplus
extern "C" {{
#endif
{lines}
#ifdef __cplusplus
}}
#endif
"""

WHOLE = """\
#ifndef CS_GENERATED_WHOLE_MPI_H
#define CS_GENERATED_WHOLE_MPI_H

/* Programs use what is deprecated, so that callsign has to name it. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Before mpi.h is included for the first time: Open MPI hides functions of MPI-1 that it still exports. */
{includes}
{names}

/* Stand-ins that callsign's own sources need: no program has such a handle or value. */
{private}

#endif
"""


# The numbers of attribute keys in gen/standard; error codes are higher.
KEY = re.compile(r"0x2400000[0-9a-f]$")


def as_in_fortran(declaration, constants):
    """A key that mpif.h has and mpi.h lacks gets the number of mpif.h: callsign must know it in both languages."""
    if declaration.kind != "constant" or declaration.name not in constants or not KEY.search(declaration.text):
        return declaration
    return dataclasses.replace(declaration, text=KEY.sub(f"({constants[declaration.name]})", declaration.text))


class Lacking:
    """The declarations of gen/standard that an mpi.h lacks."""

    def __init__(self, compiler, includes, macros):
        in_fortran = mpif.constants(includes)
        public, private = (standard.declarations(name) for name in ("names.h", "private.h"))
        constants_and_types = [each for each in private if each.kind != "function"]
        missing = lacking(compiler, includes, [each for each in public + constants_and_types if each.name not in macros or each.kind == "constant"])
        # Without windows, programs have none to name.
        hidden = [each for each in public if each.is_about_windows and "MPI_Win" in missing]
        self.macros = macros
        self.public = [as_in_fortran(each, in_fortran) for each in public if each.name in missing and each not in hidden]
        self.private = [each for each in constants_and_types + hidden if each.name in missing and each.kind != "function"]

    def prototypes(self):
        """The functions that programs get from callsign, by name."""
        known = standard.prototypes()
        return {each.name: known[each.name] for each in self.public if each.kind == "function"}


def text_of(declarations, macros):
    """Types come first: constants and functions need them, and no type needs a constant."""
    lines = []
    for each in sorted(declarations, key=lambda each: each.kind != "type"):
        lines += [f"#undef {each.name}"] if each.name in macros else []  # removes a macro that is broken
        lines += [each.text]
    return "\n".join(lines or ["/* nothing */"])


def names(lack):
    return BANNER.format(source="gen/standard") + NAMES.format(lines=text_of(lack.public, lack.macros))


def whole(lack, flavour):
    private = text_of(lack.private, lack.macros)
    return BANNER.format(source="gen/standard") + WHOLE.format(includes=INCLUDES, names=f'#include "callsign/names_{flavour}.h"', private=private)
