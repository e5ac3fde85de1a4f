/* Who sends how much to whom: one cell per (communicator or window, peer, direction), see struct cs_traffic_cell. */
#pragma once

#include <stdbool.h>

#include "db/journal/envelope.h"
#include "record/thread.h"

/* The cell of a peer, which is a rank in the communicator or CS_PEER_NULL. NULL: there is none yet. */
struct cs_traffic_cell *cs_traffic_find(const struct cs_thread *thread, uint32_t object, int32_t peer,
                                        enum cs_direction direction);

/* Whether the object has cells for so many peers that the others share one, whose peer is CS_PEER_OTHERS. */
bool cs_traffic_is_full(const struct cs_thread *thread, uint32_t object, enum cs_direction direction);

/* A cell that there is not yet. world: see the cell. NULL: the journal has no room (counted as lost). */
struct cs_traffic_cell *cs_traffic_new(struct cs_thread *thread, uint32_t object, int32_t peer,
                                       enum cs_direction direction, int32_t world);
