/* Who sends how much to whom: one cell per (communicator or window, peer, direction), see struct cs_traffic_cell. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "journal/format.h"
#include "record/process/thread.h"

enum { CS_TRAFFIC_DIRECTION = 7 }; /* bits of the word that the rank in MPI_COMM_WORLD is in, too */

static const struct cs_cell_type cs_traffic_cells = {
    .block = CS_BLOCK_TRAFFIC,
    .bytes = sizeof(struct cs_traffic_cell),
    .key_bytes = offsetof(struct cs_traffic_cell, messages), /* object, peer, direction */
    .last_mask = CS_TRAFFIC_DIRECTION,
    .valid = offsetof(struct cs_traffic_cell, messages) - sizeof(uint32_t), /* the word that the direction is in */
    .valid_bytes = sizeof(uint32_t),
    .object = offsetof(struct cs_traffic_cell, object),
};
static_assert(offsetof(struct cs_traffic_cell, messages) == 12, "direction and world share a word");

/* The cell of a peer, which is a rank in the communicator or CS_PEER_NULL. NULL: there is none yet. */
static inline struct cs_traffic_cell *cs_traffic_find(const struct cs_thread *thread, uint32_t object, int32_t peer,
                                                      enum cs_direction direction)
{
    const uint64_t words[] = {object | (uint64_t)(uint32_t)peer << 32, direction};
    return cs_cells_find(&thread->traffic, words, &cs_traffic_cells);
}

/* Whether the object has cells for so many peers that the others share one, whose peer is CS_PEER_OTHERS. */
bool cs_traffic_is_full(const struct cs_thread *thread, uint32_t object, enum cs_direction direction);

/* A cell that there is not yet. world: see the cell. NULL: the journal has no room (counted as lost). */
struct cs_traffic_cell *cs_traffic_add(struct cs_thread *thread, uint32_t object, int32_t peer,
                                       enum cs_direction direction, int32_t world);

/* Another cell in place of one that has INT32_MAX messages. NULL likewise. */
struct cs_traffic_cell *cs_traffic_replace(struct cs_thread *thread, const struct cs_traffic_cell *full);

/* ---- tags: one cell per (communicator, direction, tag, call site), see struct cs_tag_cell ---- */

/* Adds messages; modulo 2^64, so that they can be taken back. The site is one of the profile's. */
void cs_tag_count(struct cs_thread *thread, uint64_t site, uint32_t object, enum cs_direction direction, int32_t tag,
                  uint64_t messages);
