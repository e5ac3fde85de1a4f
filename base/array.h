/* Arrays that grow and are sorted. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes room for one more in an array of `count` items of so many bytes. array: the address of the pointer to it, which
   may move; *room: of how many items it has room, 0 at first. False: out of memory, nothing changed. */
bool cs_array_grow(void *array, size_t count, size_t *room, size_t bytes);

/* The number of the first item that does not come before the key; `count` if all do. The array is sorted as `compare`
   says, which gets an item and the key and returns less than 0 if the item comes before. */
size_t cs_array_lower_bound(const void *array, size_t count, size_t bytes, const void *key,
                            int (*compare)(const void *item, const void *key));

/* The order of two numbers, as of qsort. */
static inline int cs_compare(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}
