/* Ranks in MPI_COMM_WORLD. */
#pragma once

#include <stdint.h>

#include "callsign/debug.h"

/* Of the process that is `peer` on a communicator or window of this number, in the remote group of an
   intercommunicator. -1: it has none, or nobody knows any more. Local, and asked once for each peer that there is
   traffic with: a communicator of many ranks costs nothing for those that nobody talks to. */
int32_t cs_world_rank(uint32_t object, int peer);

/* Before a communicator is freed: its group is kept if requests or matched messages are on it, whose partners may
   only be known when they complete. */
void cs_world_keep(const struct callsign_record *comm);

/* Frees the groups that are kept: all, before MPI ends; or those that nothing is on any more. */
void cs_world_forget(void);
void cs_world_forget_unused(void);
