/* What happens to names and attributes of callsign's keeping where objects are duplicated and freed, and to the
   attributes of windows where they are made. The functions stand in place of the MPI's, which they call. */
#pragma once

#include "emulated.h"
#include "next.h"
#include "wrappers/fallback/emulated_store.h"

/* Runs the copy callbacks, before the MPI makes a duplicate: a refusal leaves nothing behind. */
int cs_fallback_copy(enum callsign_kind kind, uint64_t original, struct cs_emulated_copies **copies);

/* Gives the copies to the duplicate, or drops them if the MPI failed. Returns the result for the program. */
int cs_fallback_give(enum callsign_kind kind, uint64_t duplicate, struct cs_emulated_copies *copies, int result);

/* Small MPIs make communicators of a topology from duplicates, through the function that the program calls, too. Not 0:
   these are no duplicates for the program, nothing is copied. */
extern _Thread_local int cs_fallback_making __attribute__((visibility("hidden")));

/* Keeps what MPI_Win_get_attr says of a window, unless the MPI can say it itself; for any language. flavor:
 * MPI_WIN_FLAVOR_CREATE, ... */
void cs_fallback_keep_window(MPI_Win made, int flavor, void *base, MPI_Aint size, MPI_Aint unit);
