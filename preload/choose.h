/* Finds the MPI that the program uses. */
#pragma once

#include "preload/map.h"

/* The MPI library that the program calls, or NULL if none is mapped. caller: an address in the calling code, or
   NULL. */
const struct cs_mapped *cs_front_choose_mpi(const struct cs_map *map, const void *caller);

/* The path of a library that poses as the MPI but translates to another one (MPItrampoline); its handles are not
   those of the MPI behind it. NULL: none. Libraries that wrap the program's MPI are none. caller: as above. */
const char *cs_front_translator(const struct cs_map *map, const void *caller);

/* Loads the MPI for a program that is linked with this library and whose linker omitted the MPI. Returns false if
   this is not such a program. */
bool cs_front_load_mpi(const void *caller);
