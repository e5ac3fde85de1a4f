/* Growing arrays and binary search. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes room for one more item. *array (`array` is the address of the caller's pointer) may move. count: items in
   use; *room: items that fit, 0 at first; bytes: size of one item. Returns false without memory; then nothing
   changes. */
bool cs_array_grow(void *array, size_t count, size_t *room, size_t bytes);

/* Makes an array that is used by number long enough for this number. New items are zero. *items: its length, 0 at
   first; otherwise as cs_array_grow. */
bool cs_array_reach(void *array, size_t *items, size_t number, size_t bytes);

/* Appends bytes to *array. *used: bytes in use; *room: bytes that fit, 0 at first. Returns false without memory; then
   nothing changes. */
bool cs_array_append(char **array, size_t *used, size_t *room, const void *from, size_t length);

/* Binary search: returns the number of the first item that does not come before the key, or `count`. The array must
   be sorted by `compare`, which returns less than 0 if the item comes before the key. bytes: size of one item. */
size_t cs_array_lower_bound(const void *array, size_t count, size_t bytes, const void *key,
                            int (*compare)(const void *item, const void *key));

/* Compares two numbers for qsort: -1, 0 or 1. */
static inline int cs_compare(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}
