/* Finds variables by where their data lies. Part of the resolver. */
#pragma once

#include <elfutils/libdwfl.h>
#include <stdbool.h>

#include "base/symbols/resolver.h"

/* Writes the variable, if there is proof; else nothing.

   The variable of the function at an address that the data in its frame begins in; of several, the one that ends last.
   Only in C and Fortran compiled by gcc without optimization, or with little; then, and in Fortran, only variables of
   the function's outermost block. Elsewhere gcc may let a variable share its place with values without a name, since
   their uses do not overlap in time (-fstack-reuse), and nothing says whose data is there. */
void cs_variable_find_local(Dwarf_Die *unit, Dwarf_Addr address, const struct cs_data_place *place,
                            struct cs_variable *variable);

/* Likewise: the variable that static data begins in, by the symbols: of several, the one that ends last. */
void cs_variable_find_static(Dwfl_Module *module, GElf_Addr begin, int64_t bytes, struct cs_variable *variable);
