#include "record/object/window_reach.h"

#include <stddef.h>

#include "base/lock.h"
#include "journal/format.h"
#include "record/process/cells.h"

static struct cs_lock lock;
static struct cs_cells cells;
static struct cs_reach_cell *kept[CS_REACHES_MOST];
static int kept_count;

/* The cell of this window and target; a new one has no object. NULL: no room. */
static struct cs_reach_cell *find_or_add(uint32_t window, int32_t target)
{
    for (int i = 0; i < kept_count; i++)
        if (kept[i]->object == window && kept[i]->target == target)
            return kept[i];
    if (kept_count == CS_REACHES_MOST)
        return NULL;
    struct cs_reach_cell *cell = cs_cells_append(&cells, 0, CS_BLOCK_REACH, sizeof *cell);
    if (cell)
        kept[kept_count++] = cell;
    return cell;
}

void cs_window_reach_note(const struct cs_window_reach *reach, int64_t unit_bytes)
{
    cs_lock_take(&lock);
    struct cs_reach_cell *cell = find_or_add(reach->window, reach->target);
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
    cs_lock_give(&lock);
}

void cs_window_reach_forget(void)
{
    lock = (struct cs_lock){CS_LOCK_FREE};
}
