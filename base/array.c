#include "base/array.h"

#include <stdlib.h>
#include <string.h>

bool cs_array_grow(void *array, size_t count, size_t *room, size_t bytes)
{
    if (count < *room)
        return true;
    size_t wanted = *room ? 2 * *room : 64;
    void *items;
    memcpy(&items, array, sizeof items); /* of any type */
    items = realloc(items, wanted * bytes);
    if (!items)
        return false;
    memcpy(array, &items, sizeof items);
    *room = wanted;
    return true;
}
