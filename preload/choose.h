/* Which MPI the program uses. */
#pragma once

#include "preload/map.h"

/* The MPI library that the program calls. caller: an address in the calling code, or NULL. NULL when none is mapped. */
const struct cs_mapped *cs_front_choose_mpi(const struct cs_map *map, const void *caller);

/* A library in the place of the MPI that is none: it translates between two MPIs (MPItrampoline), and its handles
   are not those of the MPI behind it. NULL: there is no such library. */
const char *cs_front_translator(const struct cs_map *map);

/* Loads the MPI for a program that is linked to this library and whose linker omitted the MPI. False: this is not
   such a program. */
bool cs_front_bring_mpi(const void *caller);
