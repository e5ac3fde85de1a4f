/* Cells of the journal, which add up calls, and the table that finds a cell by its key. Each thread has its own
   cells: no function here takes a lock. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "journal/format.h"

/* Stores a field of the journal after all earlier stores: a reader who sees the field sees the rest. */
#define cs_publish(field, value) __atomic_store_n(&(field), (value), __ATOMIC_RELEASE)

/* Begins to replace a page of the journal. A reader who sees a part of the new content sees that check and number
   differ. */
static inline void cs_hide_page(uint64_t *check, uint64_t *number)
{
    cs_publish(*check, 0);
#ifndef __SANITIZE_THREAD__ /* which has no fences; the reader is another process */
    __atomic_thread_fence(__ATOMIC_RELEASE);
#endif
    cs_publish(*number, 0);
}

/* Properties of all cells of a table. Constant where it is used, so that a look-up compiles to straight code. */
struct cs_cell_type {
    enum cs_block_type block;
    uint32_t bytes;          /* size of a cell */
    uint32_t key, key_bytes; /* offset and size of its key; multiples of 4 bytes */
    uint32_t last_mask;      /* if key_bytes is no multiple of 8: the bits of the last 4 bytes that belong to the key */
    uint32_t valid, valid_bytes; /* offset and size (4 or 8) of the field that marks a cell as used */
    uint32_t object;             /* offset of the object's id; for cs_cells_release_dead */
};

enum { CS_CELLS_RECENT = 64 };

/* One thread's cells of one type. They are in journal blocks and never move; the index over them is private. */
struct cs_cells {
    uint32_t *index; /* open addressing: 0: empty, else the place of a cell; NULL: not used */
    uint64_t mask;
    uint64_t count;
    uint64_t look;           /* count at which to look for cells of dead objects; see cs_cells_release_dead */
    struct cs_block **block; /* the last one is being filled */
    uint32_t blocks;
    uint32_t before;               /* blocks that were left to the journal, << 16; UINT32_MAX: too many */
    void *recent[CS_CELLS_RECENT]; /* see cs_cells_recent */
    uint32_t newest; /* place of the newest cell: number of its block << 16 | number in the block, from 1 */
};

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a word of a key has the fields of a cell, lowest first");

/* The i-th word of a key. */
static inline __attribute__((always_inline)) uint64_t cs_key_word(const void *key, size_t i,
                                                                  const struct cs_cell_type *type)
{
    uint64_t word;
    uint32_t half;
    if (8 * i + sizeof word <= type->key_bytes) {
        memcpy(&word, (const char *)key + 8 * i, sizeof word);
        return word;
    }
    memcpy(&half, (const char *)key + 8 * i, sizeof half);
    return half & type->last_mask;
}

static inline __attribute__((always_inline)) uint64_t cs_key_hash(const void *key, const struct cs_cell_type *type)
{
    uint64_t hash = 0;
#pragma GCC unroll 4
    for (size_t i = 0; 8 * i < type->key_bytes; i++)
        hash = cs_hash_mix(hash, cs_key_word(key, i, type));
    return hash;
}

/* True if the cell has this key. Compares words directly: a copy of the key would have to reach memory first. */
static inline __attribute__((always_inline)) bool cs_cell_has_key(const void *cell, const void *key,
                                                                  const struct cs_cell_type *type)
{
#pragma GCC unroll 4
    for (size_t i = 0; 8 * i < type->key_bytes; i++)
        if (cs_key_word((const char *)cell + type->key, i, type) != cs_key_word(key, i, type))
            return false;
    return true;
}

/* The cell in a slot of the index; NULL: empty. Places take half the memory of addresses. item_bytes: size of a
   cell. */
static inline void *cs_cells_in(const struct cs_cells *cells, uint64_t slot, size_t item_bytes)
{
    uint32_t place = cells->index[slot];
    return place ? (char *)(cells->block[place >> 16] + 1) + ((place & 0xffff) - 1) * item_bytes : NULL;
}

/* The cell with this key, or NULL. key: as in a cell; an array of uint64_t is fastest. *place: its place among all
   cells of the thread, see record/call/ring.h; 0: unknown. */
static inline __attribute__((always_inline)) void *cs_cells_find_place(const struct cs_cells *cells, const void *key,
                                                                       const struct cs_cell_type *type, uint32_t *place)
{
    if (__builtin_expect(!cells->index, 0))
        return NULL;
    for (uint64_t slot = cs_key_hash(key, type) & cells->mask;; slot = (slot + 1) & cells->mask) {
        void *cell = cs_cells_in(cells, slot, type->bytes);
        if (__builtin_expect(!cell, 0))
            return NULL;
        if (cs_cell_has_key(cell, key, type)) {
            if (__builtin_add_overflow(cells->index[slot], cells->before, place))
                *place = 0;
            return cell;
        }
    }
}

static inline __attribute__((always_inline)) void *cs_cells_find(const struct cs_cells *cells, const void *key,
                                                                 const struct cs_cell_type *type)
{
    if (__builtin_expect(!cells->index, 0))
        return NULL;
    for (uint64_t slot = cs_key_hash(key, type) & cells->mask;; slot = (slot + 1) & cells->mask) {
        void *cell = cs_cells_in(cells, slot, type->bytes);
        if (__builtin_expect(!cell, 0) || cs_cell_has_key(cell, key, type))
            return cell;
    }
}

/* The slot of the cell that was found last among those with a similar key; the cell may have another key, or be NULL.
 */
static inline __attribute__((always_inline)) void **cs_cells_recent(struct cs_cells *cells, const void *key,
                                                                    const struct cs_cell_type *type)
{
    uint64_t folded = 0;
#pragma GCC unroll 4
    for (size_t i = 0; 8 * i < type->key_bytes; i++)
        folded ^= cs_key_word(key, i, type);
    return &cells->recent[(folded ^ folded >> 32) % CS_CELLS_RECENT];
}

/* cs_cells_find that keeps the cell there. */
static inline void *cs_cells_find_older(struct cs_cells *cells, const void *key, const struct cs_cell_type *type)
{
    void *cell = cs_cells_find(cells, key, type);
    if (cell)
        *cs_cells_recent(cells, key, type) = cell;
    return cell;
}

/* The cell in that slot, if it has this key; else NULL. */
static inline __attribute__((always_inline)) void *cs_cells_find_recent(struct cs_cells *cells, const void *key,
                                                                        const struct cs_cell_type *type)
{
    void *cell = *cs_cells_recent(cells, key, type);
    return __builtin_expect(cell && cs_cell_has_key(cell, key, type), 1) ? cell : NULL;
}

/* Adds a cell with this content for the thread with this number. Readers see it when it is complete: the validating
   field is stored last. An older cell with the same key stays in the journal, but is no longer found. NULL: the
   journal or the process has no room (counted as lost). */
void *cs_cells_add(struct cs_cells *cells, uint32_t thread, const void *content, const struct cs_cell_type *type);

/* Adds a zeroed cell without key, of this size. NULL: no room (counted as lost). */
void *cs_cells_append(struct cs_cells *cells, uint32_t thread, enum cs_block_type block, uint32_t bytes);

/* Leaves all cells to the journal: they are no longer found, the next call of each key makes a new one, and readers
   add them up. Frees the index. Returns false if the journal is in memory; then they stay. */
bool cs_cells_release(struct cs_cells *cells);

/* ---- tally ---- */

/* Counts how often each key occurred, for limits. One thread only. */

struct cs_tally {
    struct cs_tally_slot *slots; /* open addressing; NULL: nothing counted yet */
    uint64_t mask, used;
};

/* The count of a key, which must not be 0. */
uint64_t cs_tally_get(const struct cs_tally *tally, uint64_t key);

/* Counts a key once more. Without memory it counts as new. */
void cs_tally_count(struct cs_tally *tally, uint64_t key);

/* Forgets all. */
void cs_tally_clear(struct cs_tally *tally);
