#include "preload/slots.h"

#include <string.h>

const char *cs_front_name(uint32_t index)
{
    return cs_front_names + cs_front_name_offsets[index];
}

void *cs_front_stub(uint32_t index)
{
    return (char *)&cs_front_stub_distances[index] + cs_front_stub_distances[index];
}

int64_t cs_front_index(const char *name)
{
    uint32_t low = 0, high = cs_front_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(name, cs_front_name(middle));
        if (order == 0)
            return middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}
