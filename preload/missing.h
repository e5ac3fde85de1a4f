/* A name that the MPI at hand lacks. The program sees it all the same, because the front library has the names of all
   MPIs: a strong reference ends as it would without callsign, a weak one (`if (MPI_Abi_get_version) ...`) does not. */
#pragma once

#include "preload/map.h"

/* What to call instead of a function that no library has. A module that refers to it weakly gets one that fails as MPI
   functions do (told in one line, once); any other ends as the dynamic linker would end it. mpi: NULL if there is none.
 */
void *cs_front_missing(const char *name, const void *caller, const struct cs_map *map, const struct cs_mapped *mpi);
