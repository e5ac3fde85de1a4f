/* Native functions: the definitions of MPI functions that are not callsign's. */
#pragma once

#include <stdatomic.h>

#include "preload/map.h"

/* The C library's dlsym, or that of another library that interposes it. Set by cs_front_find_dlsym. Also in entry_*.S.
 */
typedef void *cs_dlsym(void *handle, const char *name);
extern cs_dlsym *_Atomic cs_front_next_dlsym __attribute__((visibility("hidden")));

/* Returns it; NULL: there is none. */
cs_dlsym *cs_front_find_dlsym(void);

/* Calls it; NULL if there is none. */
void *cs_front_call_dlsym(void *handle, const char *name);

/* Remembers which libraries are callsign's own: cs_front_next passes over what they define. Call under the lock of
   resolve.c. */
void cs_front_note_ours(const struct cs_map *map);

/* The next definition after callsign in the search order of the program, or NULL. */
void *cs_front_next(const char *name);

/* Likewise, also from an MPI library that is mapped outside the search order. If nobody defines MPI_x: PMPI_x. NULL:
   there is none. `mpi`: the library to ask first, or NULL. */
void *cs_front_native(const char *name, const struct cs_map *map, const struct cs_mapped *mpi);

/* The definition of a flavour library that the program is linked with, because it has its MPI inside; or NULL. */
void *cs_front_linked(const char *name, const struct cs_map *map);
