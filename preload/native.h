/* Finds native functions: definitions of MPI functions that are not callsign's. */
#pragma once

#include <stdatomic.h>

#include "preload/map.h"

/* dlsym of the C library, or of another library that interposes it. Set by cs_front_find_dlsym; entry_*.S uses it,
 * too. */
typedef void *cs_dlsym(void *handle, const char *name);
extern cs_dlsym *_Atomic cs_front_next_dlsym __attribute__((visibility("hidden")));

/* Returns it; NULL: there is none. */
cs_dlsym *cs_front_find_dlsym(void);

/* Calls it; NULL if there is none. */
void *cs_front_call_dlsym(void *handle, const char *name);

/* Notes callsign's own libraries: cs_front_find_next skips their definitions. Call it under the lock of resolve.c. */
void cs_front_note_ours(const struct cs_map *map);

/* The next definition after callsign in the program's search order, or NULL. */
void *cs_front_find_next(const char *name);

/* cs_front_find_next that also searches MPI libraries outside the search order. If nobody defines MPI_x, it looks up
   PMPI_x. NULL: none. `mpi`: the library to search first, or NULL. */
void *cs_front_find_native(const char *name, const struct cs_map *map, const struct cs_mapped *mpi);

/* The definition in a flavour library that the program is linked with because it has its MPI inside; or NULL. */
void *cs_front_find_linked(const char *name, const struct cs_map *map);
