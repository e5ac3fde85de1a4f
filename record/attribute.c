#include "record/attribute.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "record/module.h"
#include "record/recorder.h"

/* A program may store a different pointer each time, and a callback of it may return any code: beyond this many cells
   per thread they are no longer told apart. The error classes of an MPI always are: they are few, and small numbers. */
enum { CELLS_MAX = 4096, CLASSES_MAX = 256 };

/* The first 32 bytes of a cell as words: see struct cs_profile_key. */
struct key {
    uint64_t site, whom, what, value;
};
static_assert(offsetof(struct cs_attribute_cell, calls) == sizeof(struct key), "a cell begins with its key");
static_assert(offsetof(struct cs_attribute_cell, operation) == offsetof(struct key, what) &&
                  __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
              "the words of a key have the fields of a cell, lowest first");

static inline struct key key_of(const struct cs_attribute *attribute)
{
    return (struct key){
        .site = attribute->site,
        .whom = attribute->object | (uint64_t)(uint32_t)attribute->keyval << 32,
        .what = (uint64_t)attribute->operation | (uint64_t)attribute->kind << 8 | (uint64_t)attribute->found << 16 |
                (uint64_t)attribute->value_kind << 24,
        .value = attribute->value,
    };
}

static inline enum cs_attribute_value value_kind_of(struct key key)
{
    return (enum cs_attribute_value)(key.what >> 24 & 0xff);
}

static inline bool is_of(const struct cs_attribute_cell *cell, const struct key *key)
{
    struct key has;
    memcpy(&has, cell, sizeof has);
    return has.site == key->site && has.whom == key->whom && has.what == key->what && has.value == key->value;
}

static inline uint64_t hash_key(const struct key *key)
{
    static const uint64_t factor = 0x9e3779b97f4a7c15u;
    uint64_t x = ((((key->site * factor) ^ key->whom) * factor ^ key->what) * factor ^ key->value) * factor;
    return x ^ (x >> 32);
}

static uint64_t hash_cell(const void *cell)
{
    struct key key;
    memcpy(&key, cell, sizeof key);
    return hash_key(&key);
}

/* The operation comes last: before it a reader takes the cell for empty. */
static struct cs_attribute_cell *cell_new(struct cs_thread *thread, const struct key *key, uint64_t ticks)
{
    struct cs_attribute_cell *cell =
        cs_cells_new(&thread->attributes, thread->state->thread, CS_BLOCK_ATTRIBUTE, sizeof *cell);
    if (!cell)
        return NULL;
    cs_module_see(key->site);
    struct cs_attribute_cell first;
    memset(&first, 0, sizeof first);
    memcpy(&first, key, sizeof *key);
    uint8_t operation = first.operation;
    first.operation = 0;
    first.first_ticks = ticks;
    *cell = first;
    __atomic_store_n(&cell->operation, operation, __ATOMIC_RELEASE);
    return cell;
}

/* Whether others that differ in their value alone may be without number. */
static bool is_endless(const struct key *key)
{
    switch (value_kind_of(*key)) {
    case CS_VALUE_ADDRESS:
    case CS_VALUE_INTEGER:
        return true;
    case CS_VALUE_ERROR:
        return key->value > CLASSES_MAX; /* negative ones too */
    default:
        return false;
    }
}

/* NULL: lost, and counted so. */
static struct cs_attribute_cell *cell_find(struct cs_thread *thread, const struct key *key, uint64_t ticks, bool *made)
{
    struct cs_cells *cells = &thread->attributes;
    if (!cs_cells_make_room(cells, hash_cell))
        return NULL;
    uint64_t slot = hash_key(key) & cells->mask;
    struct cs_attribute_cell *cell;
    while ((cell = cs_cells_in(cells, slot, sizeof *cell))) {
        if (is_of(cell, key))
            return cell;
        slot = (slot + 1) & cells->mask;
    }
    if (cells->count >= CELLS_MAX && is_endless(key)) {
        struct key many = *key;
        many.value = 0;
        if (value_kind_of(many) != CS_VALUE_ERROR)
            many.what = (many.what & ~(uint64_t)0xff000000) | (uint64_t)CS_VALUE_MANY << 24;
        return cell_find(thread, &many, ticks, made);
    }
    cell = cell_new(thread, key, ticks);
    cells->index[slot] = cell ? cells->newest : 0;
    *made = cell != NULL;
    return cell;
}

bool cs_attribute_count(struct cs_thread *thread, const struct cs_attribute *attribute)
{
    struct key key = key_of(attribute);
    struct cs_attribute_cell *cell = thread->last_attribute;
    bool made = false;
    if (!cell || !is_of(cell, &key)) {
        cell = cell_find(thread, &key, attribute->ticks, &made);
        if (!cell)
            return false;
        thread->last_attribute = cell;
    }
    cell->calls++;
    cell->last_ticks = attribute->ticks;
    return made;
}

void cs_attribute_error(int32_t error, const char *words)
{
    struct cs_fact_error fact = {.fact.ticks = 0, .error = error};
    cs_journal_append(cs_recorder.journal, CS_FACT_ERROR, &fact.fact, sizeof fact, (const char *const[]){words}, 1);
}

void cs_attribute_constant(const char *name, int value)
{
    char key[64], text[16];
    snprintf(key, sizeof key, "constant.%s", name);
    snprintf(text, sizeof text, "%d", value);
    cs_journal_note(cs_recorder.journal, key, text);
}
