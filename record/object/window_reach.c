#include "record/object/window_reach.h"

#include <stdlib.h>

#include "base/guard.h"
#include "base/hash_table.h"
#include "journal/format.h"
#include "record/process/cells.h"

struct kept {
    struct cs_reach_cell *cell;
    struct place {
        uint32_t window;
        int32_t target;
    } place;
    UT_hash_handle hh;
};

static struct cs_lock lock;
static struct cs_cells cells;
static struct kept *all;
struct cs_reach_cell *cs_window_reach_last;

/* The cell of this window and target; a new one has no object. NULL: no room. */
static struct cs_reach_cell *find_or_add(struct place place)
{
    struct kept *found;
    HASH_FIND(hh, all, &place, sizeof place, found);
    if (!found && HASH_COUNT(all) < CS_REACHES_MOST && (found = calloc(1, sizeof *found))) {
        found->place = place;
        found->cell = cs_cells_append(&cells, 0, CS_BLOCK_REACH, sizeof *found->cell);
        if (found->cell) {
            CS_TABLE_ADD(all, place, found);
        } else {
            free(found);
            found = NULL;
        }
    }
    return found ? found->cell : NULL;
}

void cs_window_reach_note(const struct cs_window_reach *reach, int64_t unit_bytes)
{
    const bool locked = cs_guard_enter(&lock);
    struct cs_reach_cell *cell = cs_window_reach_last;
    if (!cell || cell->object != reach->window || cell->target != reach->target)
        cell = cs_window_reach_last = find_or_add((struct place){reach->window, reach->target});
    int64_t end;
    if (cell && !__builtin_mul_overflow(reach->displacement, unit_bytes, &end) &&
        !__builtin_add_overflow(end, reach->span_bytes, &end) &&
        (!cell->object || end > cell->displacement * unit_bytes + cell->span_bytes)) {
        cs_publish(cell->object, 0);
        cell->target = reach->target;
        cell->displacement = reach->displacement;
        cell->span_bytes = reach->span_bytes;
        cell->site = reach->site;
        cell->function = reach->function;
        cs_publish(cell->object, reach->window);
    }
    cs_guard_leave(&lock, locked);
}

void cs_window_reach_forget(void)
{
    lock = (struct cs_lock){CS_LOCK_FREE};
}
