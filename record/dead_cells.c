#include "record/dead_cells.h"

#include <stddef.h>
#include <stdlib.h>

#include "record/object.h"

enum { FIRST_LOOK = 4096 };

static int by_id(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* What calls are about. */
static const uint32_t kinds = 1u << CALLSIGN_COMMUNICATOR | 1u << CALLSIGN_WINDOW | 1u << CALLSIGN_FILE;

/* How many cells are of objects that are dead. 0 without memory. */
static uint64_t past(const struct cs_cells *cells, uint32_t (*object_of)(const void *cell))
{
    size_t living;
    uint32_t born;
    uint64_t count = 0;
    uint32_t *ids = cs_object_living(kinds, &living, &born);
    for (uint64_t i = 0; ids && cells->index && i <= cells->mask; i++) {
        const void *cell = cs_cells_in(cells, i, cells->block[0]->item_bytes);
        uint32_t id = cell ? object_of(cell) : 0;
        count += id && id <= born && !bsearch(&id, ids, living, sizeof id, by_id);
    }
    free(ids);
    return count;
}

/* Looking costs a step for each cell and for each object, so it is done when there are many cells and not a great many
   more objects. */
bool cs_cells_leave_the_dead(struct cs_cells *cells, uint32_t (*object_of)(const void *cell))
{
    uint64_t count = cells->count;
    if (!cells->look)
        cells->look = FIRST_LOOK;
    if (count < cells->look)
        return false;
    cells->look = 2 * count;
    if (__atomic_load_n(&callsign_debug.records, __ATOMIC_RELAXED) > 8 * count)
        return false;
    uint64_t dead = past(cells, object_of), rest = 4 * (count - dead);
    if (rest > count)
        return false;
    cells->look = rest > FIRST_LOOK ? rest : FIRST_LOOK;
    return cs_cells_leave(cells);
}
