/* Traffic between ranks: one cell for each combination of communicator or window, peer and direction. See struct
   cs_traffic_cell. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/hash.h"
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

/* Adds a message to a cell with less than INT32_MAX. */
static inline void cs_traffic_count(struct cs_traffic_cell *cell, uint64_t bytes, uint64_t ticks)
{
    cell->messages++;
    cell->bytes += bytes;
    cell->ticks += ticks;
}

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

/* Adds messages to a cell, modulo 2^64, so that they can be subtracted again. types: sum of cs_data_of_pair over the
   messages, or CS_TYPES_UNKNOWN. datatype: its id; 0: unknown, or no data. */
static inline void cs_tag_add(struct cs_tag_cell *cell, uint64_t messages, uint64_t types, uint32_t datatype)
{
    cell->messages += messages;
    if (__builtin_expect(types != CS_TYPES_UNKNOWN, 1))
        cell->types += types;
    else
        cell->untyped = 1;
    if (__builtin_expect(datatype && cell->datatype != (int32_t)datatype, 0))
        cell->datatype = cell->datatype ? CS_SEVERAL_TYPES : (int32_t)datatype;
}

/* ---- the cells of messages that were counted lately ---- */

struct cs_message_key {
    uint64_t site, whom, what; /* as in struct cs_message_cells */
};
static inline struct cs_message_key cs_message_key(uint64_t site, uint32_t object, int32_t peer, int32_t tag,
                                                   enum cs_direction direction)
{
    return (struct cs_message_key){site, object | (uint64_t)(uint32_t)peer << 32,
                                   (uint32_t)tag | (uint64_t)direction << 32};
}

/* Where they are, or replace others. */
static inline struct cs_message_cells *cs_message_slot(struct cs_thread *thread, struct cs_message_key key)
{
    return &thread->messages[cs_hash_place(key.site + key.whom + 3 * key.what, CS_MESSAGES_LOG2)];
}

static inline bool cs_message_is(const struct cs_message_cells *cells, struct cs_message_key key)
{
    return cells->site == key.site && cells->whom == key.whom && cells->what == key.what;
}
