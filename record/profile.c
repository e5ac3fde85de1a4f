#include "record/profile.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "record/module.h"
#include "record/object.h"

/* ---- dead cells ---- */

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

/* ---- profile ---- */

static inline uint64_t hash_key(struct cs_profile_key key)
{
    uint64_t x = (key.site ^ (key.what * 0x9e3779b97f4a7c15u)) * 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

static inline struct cs_profile_key key_of(const void *cell)
{
    struct cs_profile_key key;
    memcpy(&key, cell, sizeof key);
    return key;
}

static uint64_t hash_cell(const void *cell)
{
    return hash_key(key_of(cell));
}

static uint32_t object_of(const void *cell)
{
    return cs_profile_object(key_of(cell));
}

/* Rare: the first call of its kind from here. */
static struct cs_profile_cell *cell_new(struct cs_thread *thread, struct cs_profile_key key)
{
    struct cs_cells *cells = &thread->profile;
    cs_cells_leave_the_dead(cells, object_of);
    if (!cs_cells_make_room(cells, hash_cell))
        return NULL;
    struct cs_profile_cell *cell = cs_cells_new(cells, thread->state->thread, CS_BLOCK_PROFILE, sizeof *cell);
    if (!cell)
        return NULL;
    cs_module_see(key.site);
    cell->min_ticks = UINT64_MAX;
    cell->site = key.site;
    /* The word with the function comes last: before it a reader takes the cell for empty. */
    __atomic_store((uint64_t *)(void *)&cell->object, &key.what, __ATOMIC_RELEASE);
    cs_cells_put(cells, hash_key(key));
    return cell;
}

static inline struct cs_profile_cell *cell_find(struct cs_thread *thread, struct cs_profile_key key)
{
    struct cs_cells *cells = &thread->profile;
    if (__builtin_expect(!cells->index, 0))
        return cell_new(thread, key);
    for (uint64_t slot = hash_key(key) & cells->mask;; slot = (slot + 1) & cells->mask) {
        struct cs_profile_cell *cell = cs_cells_in(cells, slot, sizeof *cell);
        if (__builtin_expect(!cell, 0))
            return cell_new(thread, key);
        struct cs_profile_key has = key_of(cell);
        if (has.site == key.site && has.what == key.what)
            return cell;
    }
}

void cs_profile_call(struct cs_thread *thread, struct cs_profile_key key, uint64_t ticks, uint64_t sent_bytes,
                     uint64_t received_bytes)
{
    struct cs_profile_cell *cell = cell_find(thread, key);
    if (!cell)
        return;
    cell->calls++;
    cell->ticks += ticks;
    if (ticks < cell->min_ticks)
        cell->min_ticks = ticks;
    if (ticks > cell->max_ticks)
        cell->max_ticks = ticks;
    cell->sent_bytes += sent_bytes;
    cell->received_bytes += received_bytes;
}

void cs_profile_abandoned(struct cs_thread *thread, struct cs_profile_key key)
{
    struct cs_profile_cell *cell = cell_find(thread, key);
    if (cell)
        cell->calls++;
}

void cs_profile_more(struct cs_thread *thread, struct cs_profile_key key, uint64_t ticks, uint64_t sent_bytes,
                     uint64_t received_bytes)
{
    struct cs_profile_cell *cell = cell_find(thread, key);
    if (!cell)
        return;
    cell->ticks += ticks;
    cell->sent_bytes += sent_bytes;
    cell->received_bytes += received_bytes;
}
