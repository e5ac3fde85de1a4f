#include "preload/looked_up.h"

#include <stdatomic.h>
#include <string.h>

#include "preload/slots.h"

enum { MOST = 128, PATH_MOST = 512 };

static struct {
    _Atomic uint32_t next_index; /* index of the function plus 1; 0: not written yet */
    char path[PATH_MOST];
} looked_up[MOST];
static _Atomic uint32_t count;

void cs_front_note_looked_up(uint32_t index, const char *path)
{
    uint32_t i = atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    if (i >= MOST) {
        atomic_store_explicit(&count, MOST, memory_order_relaxed);
        return;
    }
    strncat(looked_up[i].path, path, PATH_MOST - 1);
    atomic_store_explicit(&looked_up[i].next_index, index + 1, memory_order_release);
}

const char *cs_front_looked_up(uint32_t i, const char **path)
{
    uint32_t index = i < MOST ? atomic_load_explicit(&looked_up[i].next_index, memory_order_acquire) : 0;
    if (!index)
        return NULL;
    *path = looked_up[i].path;
    return cs_front_name(index - 1);
}
