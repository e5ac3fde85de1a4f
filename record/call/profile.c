#include "record/call/profile.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "record/object/object.h"
#include "record/site/module.h"
#include "record/site/python.h"
#include "record/site/tail_call.h"

/* ---- dead cells ---- */

enum { FIRST_LOOK = 4096 };

static int by_id(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* Kinds of objects that calls can be about. */
static const uint32_t kinds = 1u << CALLSIGN_COMMUNICATOR | 1u << CALLSIGN_WINDOW | 1u << CALLSIGN_FILE;

/* Number of cells of dead objects; 0 without memory. */
static uint64_t count_dead(const struct cs_cells *cells, const struct cs_cell_type *type)
{
    size_t living;
    uint32_t born;
    uint64_t count = 0;
    uint32_t *ids = cs_object_list_living(kinds, &living, &born);
    for (uint64_t i = 0; ids && cells->index && i <= cells->mask; i++) {
        const char *cell = cs_cells_in(cells, i, type->bytes);
        uint32_t id = 0;
        if (cell)
            memcpy(&id, cell + type->object, sizeof id);
        count += id && id <= born && !bsearch(&id, ids, living, sizeof id, by_id);
    }
    free(ids);
    return count;
}

/* The check takes a step for each cell and each object. So it runs only if there are many cells, and not far more
   objects. */
bool cs_cells_release_dead(struct cs_cells *cells, const struct cs_cell_type *type)
{
    uint64_t count = cells->count;
    if (!cells->look)
        cells->look = FIRST_LOOK;
    if (count < cells->look)
        return false;
    cells->look = 2 * count;
    if (__atomic_load_n(&callsign_debug.records, __ATOMIC_RELAXED) > 8 * count)
        return false;
    uint64_t dead = count_dead(cells, type), rest = 4 * (count - dead);
    if (rest > count)
        return false;
    cells->look = rest > FIRST_LOOK ? rest : FIRST_LOOK;
    return cs_cells_release(cells);
}

/* ---- profile ---- */

static const struct cs_cell_type profile_cells = {
    .block = CS_BLOCK_PROFILE,
    .bytes = sizeof(struct cs_profile_cell),
    .key_bytes = sizeof(struct cs_profile_key),
    .valid = offsetof(struct cs_profile_cell, object), /* the word that contains the function */
    .valid_bytes = sizeof(uint64_t),
    .object = offsetof(struct cs_profile_cell, object),
};

void cs_profile_record_site(uint64_t site)
{
    cs_module_record(site);
    cs_tail_call_record(site);
    cs_python_look();
}

/* Rare: the first call of its kind from here. NULL: no room. */
static __attribute__((noinline)) struct cs_profile_cell *add_cell(struct cs_thread *thread, struct cs_profile_key key,
                                                                  uint32_t *place)
{
    if (cs_cells_release_dead(&thread->profile, &profile_cells))
        cs_steps_forget(thread);
    cs_profile_record_site(key.site);
    struct cs_profile_cell cell = {.min_ticks = UINT64_MAX};
    memcpy(&cell, &key, sizeof key);
    struct cs_profile_cell *added = cs_cells_add(&thread->profile, thread->state->thread, &cell, &profile_cells);
    if (__builtin_add_overflow(thread->profile.newest, thread->profile.before, place))
        *place = 0;
    return added;
}

static __attribute__((noinline)) struct cs_profile_cell *find_older(struct cs_thread *thread, struct cs_profile_key key)
{
    const uint64_t words[] = {key.site, key.what};
    uint32_t place;
    struct cs_profile_cell *cell = cs_cells_find_older(&thread->profile, words, &profile_cells);
    return cell ? cell : add_cell(thread, key, &place);
}

static inline struct cs_profile_cell *find_cell(struct cs_thread *thread, struct cs_profile_key key)
{
    const uint64_t words[] = {key.site, key.what};
    struct cs_profile_cell *cell = cs_cells_find_recent(&thread->profile, words, &profile_cells);
    return __builtin_expect(cell != NULL, 1) ? cell : find_older(thread, key);
}

bool cs_profile_has(const struct cs_thread *thread, struct cs_profile_key key)
{
    const uint64_t words[] = {key.site, key.what};
    return cs_cells_find(&thread->profile, words, &profile_cells) != NULL;
}

void cs_profile_add_calls(struct cs_thread *thread, struct cs_profile_key key, uint64_t calls, uint64_t ticks)
{
    struct cs_profile_cell *cell = find_cell(thread, key);
    if (cell)
        cs_profile_add_to(cell, calls, ticks, ticks / calls);
}

struct cs_profile_cell *cs_profile_add_call(struct cs_thread *thread, struct cs_profile_key key, uint64_t ticks,
                                            uint64_t sent_bytes, uint64_t received_bytes, uint32_t *place)
{
    const uint64_t words[] = {key.site, key.what};
    struct cs_profile_cell *cell = cs_cells_find_place(&thread->profile, words, &profile_cells, place);
    if (!cell && !(cell = add_cell(thread, key, place))) {
        *place = 0;
        return NULL;
    }
    cs_profile_add_to(cell, 1, ticks, ticks);
    cs_profile_add_bytes(cell, sent_bytes, received_bytes);
    return cell;
}

void cs_profile_add_abandoned(struct cs_thread *thread, struct cs_profile_key key)
{
    struct cs_profile_cell *cell = find_cell(thread, key);
    if (cell)
        cell->calls++;
}

void cs_profile_add_time(struct cs_thread *thread, struct cs_profile_key key, uint64_t ticks, uint64_t sent_bytes,
                         uint64_t received_bytes)
{
    struct cs_profile_cell *cell = find_cell(thread, key);
    if (!cell)
        return;
    cell->ticks += ticks;
    cs_profile_add_bytes(cell, sent_bytes, received_bytes);
}
