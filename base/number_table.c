#include "base/number_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static uint64_t key_at(const struct cs_number_table *table, size_t at, size_t bytes)
{
    uint64_t key;
    memcpy(&key, table->slot + at * bytes, sizeof key);
    return key;
}

/* The slot that has the key, or the free one for it. */
static size_t place_of(const struct cs_number_table *table, uint64_t key, size_t bytes)
{
    size_t at = (size_t)cs_hash_mix(0, key) & (table->slots - 1);
    for (uint64_t found; (found = key_at(table, at, bytes)) && found != key;)
        at = (at + 1) & (table->slots - 1);
    return at;
}

void *cs_number_table_find(const struct cs_number_table *table, uint64_t key, size_t bytes)
{
    size_t at = table->slots ? place_of(table, key, bytes) : 0;
    return table->slots && key_at(table, at, bytes) ? table->slot + at * bytes : NULL;
}

/* At most half of the slots are in use. */
static bool make_room(struct cs_number_table *table, size_t bytes)
{
    if (2 * table->count < table->slots)
        return true;
    struct cs_number_table grown = {.count = table->count, .slots = table->slots ? 2 * table->slots : 256};
    grown.slot = calloc(grown.slots, bytes);
    if (!grown.slot)
        return false;
    for (size_t i = 0; i < table->slots; i++) {
        uint64_t key = key_at(table, i, bytes);
        if (key)
            memcpy(grown.slot + place_of(&grown, key, bytes) * bytes, table->slot + i * bytes, bytes);
    }
    free(table->slot);
    *table = grown;
    return true;
}

void *cs_number_table_add(struct cs_number_table *table, uint64_t key, size_t bytes)
{
    if (!make_room(table, bytes))
        return NULL;
    char *slot = table->slot + place_of(table, key, bytes) * bytes;
    uint64_t found;
    memcpy(&found, slot, sizeof found);
    table->count += !found;
    return memcpy(slot, &key, sizeof key);
}

/* Moves later slots of the same chain into the free one. */
void cs_number_table_remove(struct cs_number_table *table, void *slot, size_t bytes)
{
    size_t mask = table->slots - 1, free_at = (size_t)((char *)slot - table->slot) / bytes;
    uint64_t key;
    for (size_t at = (free_at + 1) & mask; (key = key_at(table, at, bytes)); at = (at + 1) & mask) {
        size_t home = (size_t)cs_hash_mix(0, key) & mask;
        if (((at - home) & mask) < ((at - free_at) & mask))
            continue;
        memcpy(table->slot + free_at * bytes, table->slot + at * bytes, bytes);
        free_at = at;
    }
    memset(table->slot + free_at * bytes, 0, bytes);
    table->count--;
}
