#include "record/traffic.h"

#include "record/dead_cells.h"
#include "record/recorder.h"

static uint64_t hash_cell(const void *visited)
{
    const struct cs_traffic_cell *cell = visited;
    return cs_traffic_hash(cs_traffic_word(cell->object, cell->peer), cell->direction);
}

static uint32_t object_of(const void *cell)
{
    return ((const struct cs_traffic_cell *)cell)->object;
}

/* Never 0, as sides are not. */
static uint64_t kept_key(uint32_t object, enum cs_direction direction)
{
    return object | (uint64_t)direction << 32;
}

bool cs_traffic_is_full(const struct cs_thread *thread, uint32_t object, enum cs_direction direction)
{
    return cs_tally_of(&thread->traffic_kept, kept_key(object, direction)) >= CS_PEERS_KEPT;
}

struct cs_traffic_cell *cs_traffic_new(struct cs_thread *thread, uint32_t object, int32_t peer,
                                       enum cs_direction direction, int32_t world)
{
    struct cs_cells *cells = &thread->traffic;
    if (cs_cells_leave_the_dead(cells, object_of))
        cs_tally_clear(&thread->traffic_kept);
    if (!cs_cells_make_room(cells, hash_cell)) {
        cs_journal_lose(cs_recorder.journal);
        return NULL;
    }
    struct cs_traffic_cell *cell = cs_cells_new(cells, thread->state->thread, CS_BLOCK_TRAFFIC, sizeof *cell);
    if (!cell)
        return NULL;
    cs_tally_count(&thread->traffic_kept, kept_key(object, direction));
    cell->object = object;
    cell->peer = peer;
    cell->world = world;
    __atomic_store_n(&cell->direction, direction, __ATOMIC_RELEASE);
    cs_cells_put(cells, hash_cell(cell), cell);
    return cell;
}
