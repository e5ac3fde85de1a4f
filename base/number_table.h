/* Hash tables with open addressing. A slot is a structure that begins with a 64-bit key, which is never 0. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* {0} is empty. */
struct cs_number_table {
    char *slot;          /* free it */
    size_t count, slots; /* slots: a power of two; those with key 0 are free */
};

/* The slot with this key; NULL: none. bytes: the size of a slot, here and below. */
void *cs_number_table_find(const struct cs_number_table *table, uint64_t key, size_t bytes);

/* Finds the slot with this key, or adds one that is zero otherwise. Slots may move. NULL: out of memory. */
void *cs_number_table_add(struct cs_number_table *table, uint64_t key, size_t bytes);

/* Removes a slot. Others may move. */
void cs_number_table_remove(struct cs_number_table *table, void *slot, size_t bytes);
