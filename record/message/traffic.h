/* Traffic between ranks: one cell for each combination of communicator or window, peer and direction. See struct
   cs_traffic_cell. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "journal/format.h"
#include "record/process/thread.h"

enum { CS_TRAFFIC_DIRECTION = 7 }; /* bits of the word that also contains the rank in MPI_COMM_WORLD */

static const struct cs_cell_type cs_traffic_cells = {
    .block = CS_BLOCK_TRAFFIC,
    .bytes = sizeof(struct cs_traffic_cell),
    .key_bytes = offsetof(struct cs_traffic_cell, messages), /* object, peer, direction */
    .last_mask = CS_TRAFFIC_DIRECTION,
    .valid = offsetof(struct cs_traffic_cell, messages) - sizeof(uint32_t), /* the word that contains the direction */
    .valid_bytes = sizeof(uint32_t),
    .object = offsetof(struct cs_traffic_cell, object),
};
static_assert(offsetof(struct cs_traffic_cell, messages) == 12, "direction and world share a word");

/* The cell of a peer: a rank in the communicator or CS_PEER_NULL. NULL: none yet. */
struct cs_traffic_cell *cs_traffic_find_older(struct cs_thread *thread, uint32_t object, int32_t peer,
                                              enum cs_direction direction);
static inline __attribute__((always_inline)) struct cs_traffic_cell *
cs_traffic_find(struct cs_thread *thread, uint32_t object, int32_t peer, enum cs_direction direction)
{
    const uint64_t words[] = {object | (uint64_t)(uint32_t)peer << 32, direction};
    struct cs_traffic_cell *cell = cs_cells_find_recent(&thread->traffic, words, &cs_traffic_cells);
    return __builtin_expect(cell != NULL, 1) ? cell : cs_traffic_find_older(thread, object, peer, direction);
}

/* True if the object has so many cells that further peers share one, with the peer CS_PEER_OTHERS. */
bool cs_traffic_is_full(const struct cs_thread *thread, uint32_t object, enum cs_direction direction);

/* Adds a new cell. world: see the cell. NULL: the journal has no room (counted as lost). */
struct cs_traffic_cell *cs_traffic_add(struct cs_thread *thread, uint32_t object, int32_t peer,
                                       enum cs_direction direction, int32_t world);

/* Adds a cell to replace one with INT32_MAX messages. NULL: no room (counted as lost). */
struct cs_traffic_cell *cs_traffic_replace(struct cs_thread *thread, const struct cs_traffic_cell *full);

/* ---- tags: one cell per (communicator, direction, tag, call site), see struct cs_tag_cell ---- */

#define CS_SEVERAL_TYPES (-1)
#define CS_TYPES_UNKNOWN UINT64_MAX

static const struct cs_cell_type cs_tag_cells = {
    .block = CS_BLOCK_TAG,
    .bytes = sizeof(struct cs_tag_cell),
    .key_bytes = offsetof(struct cs_tag_cell, largest), /* site, object, tag, direction, range */
    .last_mask = UINT32_MAX,
    .valid = offsetof(struct cs_tag_cell, direction),
    .valid_bytes = sizeof(uint32_t),
    .object = offsetof(struct cs_tag_cell, object),
};
static_assert(offsetof(struct cs_tag_cell, largest) == 20, "a cell begins with its key");

/* The key as words, as in a cell. */
struct cs_tag_key {
    uint64_t word[3];
};
static inline struct cs_tag_key cs_tag_key(uint64_t site, uint32_t object, enum cs_direction direction, int32_t tag,
                                           uint32_t range)
{
    return (struct cs_tag_key){
        {site, object | (uint64_t)(uint32_t)tag << 32, (uint32_t)direction | (uint64_t)range << 16}};
}

/* Finds the cell of this site for this tag, or that of a range of tags if there are too many, or adds it. NULL: no
   room. */
struct cs_tag_cell *cs_tag_find_or_add(struct cs_thread *thread, uint64_t site, uint32_t object,
                                       enum cs_direction direction, int32_t tag);

/* Adds messages, modulo 2^64, so that they can be subtracted again. site: as in the profile. types: sum of
   cs_data_of_pair over the messages, or CS_TYPES_UNKNOWN. datatype: its id; 0: unknown, or no data. */
static inline __attribute__((always_inline)) void cs_tag_count(struct cs_thread *thread, uint64_t site, uint32_t object,
                                                               enum cs_direction direction, int32_t tag,
                                                               uint64_t messages, uint64_t types, uint32_t datatype)
{
    const struct cs_tag_key key = cs_tag_key(site, object, direction, tag, 0);
    struct cs_tag_cell *cell = cs_cells_find_recent(&thread->tags, key.word, &cs_tag_cells);
    if (__builtin_expect(!cell, 0) && !(cell = cs_tag_find_or_add(thread, site, object, direction, tag)))
        return;
    cell->messages += messages;
    if (__builtin_expect(types != CS_TYPES_UNKNOWN, 1))
        cell->types += types;
    else
        cell->untyped = 1;
    if (__builtin_expect(datatype && cell->datatype != (int32_t)datatype, 0))
        cell->datatype = cell->datatype ? CS_SEVERAL_TYPES : (int32_t)datatype;
}
