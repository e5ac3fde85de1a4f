#include "record/traffic.h"

#include "record/dead_cells.h"

/* Direction and world are the word after the peer. */
enum { WITH_DIRECTION = offsetof(struct cs_traffic_cell, peer) + sizeof(int32_t) };
static_assert(WITH_DIRECTION + sizeof(uint32_t) == offsetof(struct cs_traffic_cell, messages), "they share a word");

static uint64_t hash_cell(const void *visited)
{
    const struct cs_traffic_cell *cell = visited;
    return cs_traffic_hash(cs_traffic_word(cell->object, cell->peer), cell->direction);
}

static uint32_t object_of(const void *cell)
{
    return ((const struct cs_traffic_cell *)cell)->object;
}

/* Never 0, as directions are not. */
static uint64_t kept_key(uint32_t object, enum cs_direction direction)
{
    return object | (uint64_t)direction << 32;
}

bool cs_traffic_is_full(const struct cs_thread *thread, uint32_t object, enum cs_direction direction)
{
    return cs_tally_of(&thread->traffic_kept, kept_key(object, direction)) >= CS_PEERS_KEPT;
}

static struct cs_traffic_cell *cell_new(struct cs_thread *thread, uint32_t object, int32_t peer,
                                        enum cs_direction direction, int32_t world)
{
    struct cs_traffic_cell *cell =
        cs_cells_new(&thread->traffic, thread->state->thread, CS_BLOCK_TRAFFIC, sizeof *cell);
    if (!cell)
        return NULL;
    const struct cs_traffic_cell made = {.object = object, .peer = peer, .direction = direction, .world = world};
    uint32_t word;
    memcpy(&word, (const char *)&made + WITH_DIRECTION, sizeof word);
    cell->object = object;
    cell->peer = peer;
    __atomic_store_n((uint32_t *)(void *)((char *)cell + WITH_DIRECTION), word, __ATOMIC_RELEASE);
    return cell;
}

struct cs_traffic_cell *cs_traffic_new(struct cs_thread *thread, uint32_t object, int32_t peer,
                                       enum cs_direction direction, int32_t world)
{
    struct cs_cells *cells = &thread->traffic;
    if (cs_cells_leave_the_dead(cells, object_of))
        cs_tally_clear(&thread->traffic_kept);
    if (!cs_cells_make_room(cells, hash_cell))
        return NULL;
    struct cs_traffic_cell *cell = cell_new(thread, object, peer, direction, world);
    if (!cell)
        return NULL;
    cs_tally_count(&thread->traffic_kept, kept_key(object, direction));
    cs_cells_put(cells, hash_cell(cell));
    return cell;
}

struct cs_traffic_cell *cs_traffic_again(struct cs_thread *thread, const struct cs_traffic_cell *full)
{
    struct cs_cells *cells = &thread->traffic;
    uint64_t slot = hash_cell(full) & cells->mask;
    while (cs_cells_in(cells, slot, sizeof *full) != full)
        slot = (slot + 1) & cells->mask;
    struct cs_traffic_cell *cell =
        cell_new(thread, full->object, full->peer, (enum cs_direction)full->direction, full->world);
    if (cell)
        cells->index[slot] = cells->newest;
    return cell;
}
