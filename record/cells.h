/* The cells of a thread, where its calls are added up. Only their thread touches them: nothing here takes a lock. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/journal/format.h"

/* Cells of one type of one thread: they lie in journal blocks and never move; the index over them is private. */
struct cs_cells {
    void **index; /* open addressing; NULL: not used */
    uint64_t mask;
    uint64_t count;
    uint64_t look;          /* count at which to look for cells of the dead; see record/dead_cells.h */
    struct cs_block *block; /* being filled */
    struct cs_block **full; /* those before it */
    size_t full_count;
};

/* A new zeroed cell, of the thread of this number; NULL when the journal has no room (counted as lost). */
void *cs_cells_new(struct cs_cells *cells, uint32_t thread, enum cs_block_type type, uint32_t item_bytes);

/* Makes the index twice as large when it is half full. hash: of a cell, by its key. False without memory: then add no
 * cell. */
int cs_cells_make_room(struct cs_cells *cells, uint64_t (*hash)(const void *cell));

/* Enters a cell into the index, where there is room; hash: of it. */
static inline void cs_cells_put(struct cs_cells *cells, uint64_t hash, void *cell)
{
    uint64_t slot = hash & cells->mask;
    while (cells->index[slot])
        slot = (slot + 1) & cells->mask;
    cells->index[slot] = cell;
}

/* All its cells stay in the journal but are found no more: the next call of each key makes a new one, and a reader adds
   them up. Gives back their memory. False: the journal is in memory, and
   they stay. */
bool cs_cells_leave(struct cs_cells *cells);
