/* Who sends how much to whom: one cell per (communicator or window, peer, direction), see struct cs_traffic_cell. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "db/journal/format.h"
#include "record/thread.h"

/* Object and peer as the one word that a cell begins with, which is how they are hashed and compared. */
static_assert(offsetof(struct cs_traffic_cell, peer) == 4 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "object and peer are one word, lowest first");
static inline uint64_t cs_traffic_word(uint32_t object, int32_t peer)
{
    return object | (uint64_t)(uint32_t)peer << 32;
}

static inline uint64_t cs_traffic_hash(uint64_t word, uint32_t direction)
{
    uint64_t x = (word ^ (uint64_t)direction << 28) * 0x9e3779b97f4a7c15u;
    return x ^ (x >> 32);
}

/* The cell of a peer, which is a rank in the communicator or CS_PEER_NULL. NULL: there is none yet. */
static inline struct cs_traffic_cell *cs_traffic_find(const struct cs_thread *thread, uint32_t object, int32_t peer,
                                                      enum cs_direction direction)
{
    const struct cs_cells *cells = &thread->traffic;
    uint64_t word = cs_traffic_word(object, peer);
    if (__builtin_expect(!cells->index, 0))
        return NULL;
    for (uint64_t slot = cs_traffic_hash(word, direction) & cells->mask;; slot = (slot + 1) & cells->mask) {
        struct cs_traffic_cell *cell = cs_cells_in(cells, slot, sizeof *cell);
        if (__builtin_expect(!cell, 0))
            return NULL;
        uint64_t has;
        memcpy(&has, cell, sizeof has);
        if (has == word && cell->direction == (uint32_t)direction)
            return cell;
    }
}

/* Whether the object has cells for so many peers that the others share one, whose peer is CS_PEER_OTHERS. */
bool cs_traffic_is_full(const struct cs_thread *thread, uint32_t object, enum cs_direction direction);

/* A cell that there is not yet. world: see the cell. NULL: the journal has no room (counted as lost). */
struct cs_traffic_cell *cs_traffic_new(struct cs_thread *thread, uint32_t object, int32_t peer,
                                       enum cs_direction direction, int32_t world);

/* Another cell in place of one that has INT32_MAX messages. NULL likewise. */
struct cs_traffic_cell *cs_traffic_again(struct cs_thread *thread, const struct cs_traffic_cell *full);

/* ---- tags: one cell per (communicator, direction, tag, call site), see struct cs_tag_cell ---- */

/* Adds messages; modulo 2^64, so that they can be taken back. The site is one of the profile's. */
void cs_tag_count(struct cs_thread *thread, uint64_t site, uint32_t object, enum cs_direction direction, int32_t tag,
                  uint64_t messages);
