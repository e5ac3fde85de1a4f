/* Ranks in MPI_COMM_WORLD. */
#pragma once

#include <stdint.h>

/* Of the process that is `peer` on a communicator or window of this number, in the remote group of an
   intercommunicator. -1: it has none, or the object is freed. Local, and asked once for each peer that there is
   traffic with: a communicator of many ranks costs nothing for those that nobody talks to. */
int32_t cs_world_rank(uint32_t object, int peer);
