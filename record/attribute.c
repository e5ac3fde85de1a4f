#include "record/attribute.h"

#include <stddef.h>
#include <string.h>

#include "record/module.h"
#include "record/recorder.h"

/* A program may store a different pointer each time: beyond this many cells per thread values are no longer
 * distinguished.
 */
enum { CELLS_MAX = 4096 };

static_assert(offsetof(struct cs_attribute_cell, calls) == 32, "a cell begins with its key");

static uint64_t hash_cell(const void *cell)
{
    uint64_t words[4];
    memcpy(words, cell, sizeof words);
    uint64_t x = 0;
    for (int i = 0; i < 4; i++)
        x = (x ^ words[i]) * 0x9e3779b97f4a7c15u;
    return x ^ (x >> 32);
}

static struct cs_attribute_cell *cell_find(struct cs_thread *thread, const struct cs_attribute_cell *key,
                                           uint64_t ticks)
{
    struct cs_cells *cells = &thread->attributes;
    if (!cs_cells_make_room(cells, hash_cell)) {
        cs_journal_lose(cs_recorder.journal);
        return NULL;
    }
    uint64_t slot = hash_cell(key) & cells->mask;
    while (cells->index[slot]) {
        if (memcmp(cells->index[slot], key, offsetof(struct cs_attribute_cell, calls)) == 0)
            return cells->index[slot];
        slot = (slot + 1) & cells->mask;
    }
    if (cells->count >= CELLS_MAX && key->value_kind != CS_VALUE_MANY && key->value_kind != CS_VALUE_NONE) {
        struct cs_attribute_cell many = *key;
        many.value_kind = CS_VALUE_MANY;
        many.value = 0;
        return cell_find(thread, &many, ticks);
    }
    struct cs_attribute_cell *cell = cs_cells_new(cells, thread->state->thread, CS_BLOCK_ATTRIBUTE, sizeof *cell);
    if (!cell)
        return NULL;
    cs_module_see(key->site);
    struct cs_attribute_cell first = *key;
    first.operation = 0;
    first.first_ticks = ticks;
    *cell = first;
    __atomic_store_n(&cell->operation, key->operation, __ATOMIC_RELEASE);
    cells->index[slot] = cell;
    return cell;
}

void cs_attribute_count(struct cs_thread *thread, const struct cs_attribute *attribute)
{
    struct cs_attribute_cell key = {
        .site = attribute->site,
        .object = attribute->object,
        .keyval = attribute->keyval,
        .operation = (uint16_t)attribute->operation,
        .found = attribute->found,
        .value_kind = (uint8_t)attribute->value_kind,
        .value = attribute->value,
    };
    struct cs_attribute_cell *cell = cell_find(thread, &key, attribute->ticks);
    if (!cell)
        return;
    cell->calls++;
    cell->last_ticks = attribute->ticks;
}

void cs_keyval_born(int keyval, enum callsign_kind kind, const char *name, uint16_t function, uint64_t site)
{
    cs_module_see(site);
    struct cs_fact_keyval fact = {
        .fact.ticks = 0, .keyval = keyval, .kind = (uint16_t)kind, .function = function, .site = site};
    cs_journal_append(cs_recorder.journal, CS_FACT_KEYVAL, &fact.fact, sizeof fact, (const char *const[]){name}, 1);
}
