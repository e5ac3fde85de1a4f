/* The cells of a thread, where its calls are added up. Only their thread touches them: nothing here takes a lock. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/journal/format.h"

/* Cells of one type of one thread: they lie in journal blocks and never move; the index over them is private. */
struct cs_cells {
    uint32_t *index; /* open addressing: 0 empty, else the place of a cell; NULL: not used */
    uint64_t mask;
    uint64_t count;
    uint64_t look;           /* count at which to look for cells of the dead; see cs_cells_leave_the_dead */
    struct cs_block **block; /* the last one is being filled */
    uint32_t blocks;
    uint32_t newest; /* place of the cell that was made last: number of its block << 16 | number in that, from 1 */
};

/* The cell in a slot of the index, of so many bytes; NULL: it is empty. Places are half as large as addresses. */
static inline void *cs_cells_in(const struct cs_cells *cells, uint64_t slot, size_t item_bytes)
{
    uint32_t place = cells->index[slot];
    return place ? (char *)(cells->block[place >> 16] + 1) + ((place & 0xffff) - 1) * item_bytes : NULL;
}

/* A new zeroed cell, of the thread of this number; NULL when the journal has no room (counted as lost). */
void *cs_cells_new(struct cs_cells *cells, uint32_t thread, enum cs_block_type type, uint32_t item_bytes);

/* Makes the index twice as large when three quarters are full. hash: of a cell, by its key. False without memory
   (counted as lost): then add no cell. */
int cs_cells_make_room(struct cs_cells *cells, uint64_t (*hash)(const void *cell));

/* Enters the newest cell into the index, where there is room; hash: of it. */
static inline void cs_cells_put(struct cs_cells *cells, uint64_t hash)
{
    uint64_t slot = hash & cells->mask;
    while (cells->index[slot])
        slot = (slot + 1) & cells->mask;
    cells->index[slot] = cells->newest;
}

/* All its cells stay in the journal but are found no more: the next call of each key makes a new one, and a reader adds
   them up. Gives back their memory. False: the journal is in memory, and
   they stay. */
bool cs_cells_leave(struct cs_cells *cells);

/* ---- tally ---- */

/* How often each of many keys was counted: for limits on what is kept apart. One thread's alone. */

struct cs_tally {
    struct cs_tally_slot *slots; /* open addressing; NULL: nothing counted yet */
    uint64_t mask, used;
};

/* Of a key that is not 0. */
uint64_t cs_tally_of(const struct cs_tally *tally, uint64_t key);

/* Counts once more. Without memory a key counts as if it were new. */
void cs_tally_count(struct cs_tally *tally, uint64_t key);

/* Forgets all. */
void cs_tally_clear(struct cs_tally *tally);
