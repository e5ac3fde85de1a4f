/* Names and attributes in callsign's store when objects are duplicated and freed, and attributes of windows when
   they are made. These functions replace the MPI's and call them. */
#pragma once

#include "emulated.h"
#include "next.h"
#include "wrappers/fallback/emulated_store.h"

/* Runs the copy callbacks before the MPI makes the duplicate: a refusal then has no side effects. */
int cs_fallback_copy(enum callsign_kind kind, uint64_t original, struct cs_emulated_copies **copies);

/* Gives the copies to the duplicate, or drops them if the MPI failed. Returns the result for the program. */
int cs_fallback_attach_copies(enum callsign_kind kind, uint64_t duplicate, struct cs_emulated_copies *copies,
                              int result);

/* Not 0 while an MPI makes a topology communicator by its public duplicate function, as small MPIs do. For the
   program this is no duplicate, so nothing is copied. */
extern _Thread_local int cs_fallback_making __attribute__((visibility("hidden")));

/* Stores the answers of MPI_Win_get_attr for a window, unless the MPI can give them; for any language. flavor:
 * MPI_WIN_FLAVOR_CREATE, ... */
void cs_fallback_keep_window(MPI_Win made, int flavor, void *base, MPI_Aint size, MPI_Aint unit);
