#include "record/object/window_access.h"

#include "base/guard.h"
#include "record/process/cells.h"

static struct cs_lock lock;
static struct cs_cells cells;
static int accesses = CS_ACCESSES_MOST, memory_uses = CS_MEMORY_USES_MOST, exposures = CS_EXPOSURES_MOST; /* room */

static bool take_room(uint16_t kind)
{
    int *room = kind == CS_ACCESS_KIND_EXPOSURE                               ? &exposures
                : kind == CS_ACCESS_KIND_READ || kind == CS_ACCESS_KIND_WRITE ? &memory_uses
                                                                              : &accesses;
    return *room > 0 && (*room)-- > 0;
}

bool cs_window_access_has_room(void)
{
    const bool locked = cs_guard_enter(&lock), has_room = accesses > 0;
    cs_guard_leave(&lock, locked);
    return has_room;
}

struct cs_access_cell *cs_window_access_add(const struct cs_access_cell *access)
{
    const bool locked = cs_guard_enter(&lock);
    struct cs_access_cell *cell = NULL;
    if (take_room(access->kind))
        cell = cs_cells_append(&cells, 0, CS_BLOCK_ACCESS, sizeof *cell);
    if (cell) {
        *cell = *access;
        cell->object = 0;
        cs_publish(cell->object, access->object);
    }
    cs_guard_leave(&lock, locked);
    return cell;
}

void cs_window_access_forget(void)
{
    lock = (struct cs_lock){CS_LOCK_FREE};
}
