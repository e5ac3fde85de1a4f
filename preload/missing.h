/* A name that the present MPI lacks. The program sees it anyway, because the front library has the names of all
   MPIs. A strong reference ends the program as without callsign. A weak one (`if (MPI_Abi_get_version) ...`) does
   not. */
#pragma once

#include "preload/map.h"

/* The function to call if no library defines this one. For a module with a weak reference, it fails like an MPI
   function, with one line on stderr, once. For others, it ends the program as the dynamic linker would. mpi: NULL if
   there is none. */
void *cs_front_missing(const char *name, const void *caller, const struct cs_map *map, const struct cs_mapped *mpi);
