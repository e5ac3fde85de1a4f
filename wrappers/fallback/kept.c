#include "wrappers/fallback/kept.h"

#include <stdlib.h>
#include <string.h>

#include "wrappers/fallback/lock.h"
#include "wrappers/fallback/object_table.h"

/* ---- the end of objects ---- */

bool cs_own_refer(enum callsign_kind kind, uint64_t handle)
{
    cs_own_lock();
    struct cs_own_object *object = cs_own_object_make(kind, handle);
    if (object)
        object->references++;
    cs_own_unlock();
    return object != NULL;
}

bool cs_own_unrefer(enum callsign_kind kind, uint64_t handle)
{
    cs_own_lock();
    struct cs_own_object *object = cs_own_object_find(kind, handle);
    bool refers = object && object->references;
    if (refers) {
        object->references--;
        cs_own_object_drop_empty(object);
    }
    cs_own_unlock();
    return refers;
}

bool cs_own_has(enum callsign_kind kind, uint64_t handle)
{
    cs_own_lock();
    bool has = cs_own_object_find(kind, handle) != NULL;
    cs_own_unlock();
    return has;
}

struct cs_own_object *cs_own_take(enum callsign_kind kind, uint64_t handle)
{
    cs_own_lock();
    struct cs_own_object *object = cs_own_object_find(kind, handle);
    if (object) {
        while (object->attributes)
            cs_own_attribute_remove(object->attributes);
        cs_own_object_unlink(object);
    }
    cs_own_unlock();
    return object;
}

void cs_own_put_back(struct cs_own_object *taken)
{
    if (!taken)
        return;
    cs_own_lock();
    bool linked = !cs_own_object_find(taken->kind, taken->handle) && cs_own_object_link(taken);
    cs_own_unlock();
    if (!linked)
        cs_own_object_discard(taken);
}

void cs_own_drop(struct cs_own_object *taken)
{
    cs_own_object_discard(taken);
}

/* ---- names ---- */

bool cs_own_name_set(enum callsign_kind kind, uint64_t handle, const char *name, size_t length)
{
    char *copy = malloc(length + 1);
    if (!copy)
        return false;
    memcpy(copy, name, length);
    copy[length] = '\0';
    cs_own_lock();
    struct cs_own_object *object = cs_own_object_make(kind, handle);
    if (object) {
        free(object->name);
        object->name = copy;
    }
    cs_own_unlock();
    if (!object)
        free(copy);
    return object != NULL;
}

bool cs_own_name_get(enum callsign_kind kind, uint64_t handle, char *name, size_t bytes)
{
    cs_own_lock();
    const struct cs_own_object *object = cs_own_object_find(kind, handle);
    bool named = object && object->name;
    if (named) {
        size_t length = strnlen(object->name, bytes - 1);
        memcpy(name, object->name, length);
        name[length] = '\0';
    }
    cs_own_unlock();
    return named;
}

/* ---- windows ---- */

bool cs_own_window_keep(uint64_t window, const struct cs_own_window *what)
{
    cs_own_lock();
    struct cs_own_object *object = cs_own_object_make(CALLSIGN_WINDOW, window);
    if (object && !object->window)
        object->window = malloc(sizeof *object->window);
    bool kept = object && object->window;
    if (kept)
        *object->window = *what;
    else if (object)
        cs_own_object_drop_empty(object);
    cs_own_unlock();
    return kept;
}

const struct cs_own_window *cs_own_window_kept(uint64_t window)
{
    cs_own_lock();
    const struct cs_own_object *object = cs_own_object_find(CALLSIGN_WINDOW, window);
    const struct cs_own_window *kept = object ? object->window : NULL;
    cs_own_unlock();
    return kept;
}
