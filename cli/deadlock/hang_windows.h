/* What calls about windows wait for: locks, and the epochs of other ranks. */
#pragma once

#include "cli/deadlock/hang_model.h"

/* A wait for a lock, or for operations under it, is a wait for all ranks that hold it. self: index of the rank. */
void cs_hang_needs_target(struct cs_hang *hang, int self, const struct cs_hang_call *call);

/* MPI_Win_start and (completes) MPI_Win_complete wait for MPI_Win_post of the targets. */
void cs_hang_needs_posts(struct cs_hang *hang, const struct cs_hang_object *own, bool completes);

/* MPI_Win_wait waits for MPI_Win_complete of the origins. */
void cs_hang_needs_completes(struct cs_hang *hang, const struct cs_hang_object *own);
