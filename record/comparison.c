#include "record/comparison.h"

#include <stddef.h>
#include <string.h>

#include "record/module.h"

/* A program may compare a new object each time: beyond this many cells per thread objects are no longer told apart. */
enum { CELLS_MAX = 4096, KEY_WORDS = 3 };

static_assert(offsetof(struct cs_comparison_cell, calls) == KEY_WORDS * sizeof(uint64_t), "a cell begins with its key");

static uint64_t hash_cell(const void *cell)
{
    uint64_t words[KEY_WORDS], x = 0;
    memcpy(words, cell, sizeof words);
    for (int i = 0; i < KEY_WORDS; i++)
        x = (x ^ words[i]) * 0x9e3779b97f4a7c15u;
    return x ^ (x >> 32);
}

static struct cs_comparison_cell *cell_new(struct cs_thread *thread, const struct cs_comparison_cell *key,
                                           uint64_t ticks)
{
    struct cs_comparison_cell *cell =
        cs_cells_new(&thread->comparisons, thread->state->thread, CS_BLOCK_COMPARISON, sizeof *cell);
    if (!cell)
        return NULL;
    cs_module_see(key->site);
    struct cs_comparison_cell first = *key;
    first.answer = 0;
    first.first_ticks = ticks;
    *cell = first;
    __atomic_store_n(&cell->answer, key->answer, __ATOMIC_RELEASE);
    return cell;
}

static struct cs_comparison_cell *cell_find(struct cs_thread *thread, const struct cs_comparison_cell *key,
                                            uint64_t ticks)
{
    struct cs_cells *cells = &thread->comparisons;
    if (!cs_cells_make_room(cells, hash_cell))
        return NULL;
    uint64_t slot = hash_cell(key) & cells->mask;
    struct cs_comparison_cell *cell;
    while ((cell = cs_cells_in(cells, slot, sizeof *cell))) {
        if (memcmp(cell, key, offsetof(struct cs_comparison_cell, calls)) == 0)
            return cell;
        slot = (slot + 1) & cells->mask;
    }
    if (cells->count >= CELLS_MAX && (key->first || key->second)) {
        struct cs_comparison_cell any = *key;
        any.first = any.second = 0;
        return cell_find(thread, &any, ticks);
    }
    cell = cell_new(thread, key, ticks);
    cells->index[slot] = cell ? cells->newest : 0;
    return cell;
}

void cs_comparison_count(struct cs_thread *thread, const struct cs_comparison *comparison)
{
    struct cs_comparison_cell key = {
        .site = comparison->site,
        .first = comparison->first,
        .second = comparison->second,
        .answer = (uint16_t)comparison->answer,
        .kind = (uint16_t)comparison->kind,
    };
    struct cs_comparison_cell *cell = cell_find(thread, &key, comparison->ticks);
    if (!cell)
        return;
    cell->calls++;
    cell->last_ticks = comparison->ticks;
}
