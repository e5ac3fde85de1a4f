#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* Returns the items; NULL: no memory. */
static char *resize(void *array, size_t *room, size_t wanted, size_t bytes)
{
    void *items;
    memcpy(&items, array, sizeof items); /* for pointers to any type */
    items = realloc(items, wanted * bytes);
    if (!items)
        return NULL;
    memcpy(array, &items, sizeof items);
    *room = wanted;
    return items;
}

bool cs_array_grow(void *array, size_t count, size_t *room, size_t bytes)
{
    return count < *room || resize(array, room, *room ? 2 * *room : 64, bytes);
}

bool cs_array_reach(void *array, size_t *items, size_t number, size_t bytes)
{
    size_t before = *items;
    char *grown = number < before ? NULL : resize(array, items, 2 * (number + 64), bytes);
    if (grown)
        memset(grown + before * bytes, 0, (*items - before) * bytes);
    return number < *items;
}

bool cs_array_append(char **array, size_t *used, size_t *room, const void *from, size_t length)
{
    if (*room - *used < length) {
        size_t wanted = 2 * (*used + length) + 4096;
        char *grown = realloc(*array, wanted);
        if (!grown)
            return false;
        *array = grown;
        *room = wanted;
    }
    if (length)
        memcpy(*array + *used, from, length);
    *used += length;
    return true;
}

size_t cs_array_lower_bound(const void *array, size_t count, size_t bytes, const void *key,
                            int (*compare)(const void *item, const void *key))
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare((const char *)array + middle * bytes, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
