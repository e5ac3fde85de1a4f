/* Which MPI the program uses. */
#pragma once

#include "preload/map.h"

/* The MPI library that the program calls. caller: an address in the calling code, or NULL. NULL when none is mapped. */
const struct cs_mapped *cs_front_choose_mpi(const struct cs_map *map, const void *caller);

/* The library that stands in the search order where the MPI of a program would, but is none: it translates between two
   (MPItrampoline), and its handles are not those of the MPI behind it. NULL: there is no such library. */
const char *cs_front_translator(const struct cs_map *map);

/* For a program that is linked to this library and whose MPI was left out by its linker: loads the MPI. False when that
   is not the case. */
bool cs_front_bring_mpi(const void *caller);
