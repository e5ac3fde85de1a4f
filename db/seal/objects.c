#include "db/seal/objects.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "db/seal/arena.h"

#define SLOTS_FIRST 256u

struct cs_objects {
    struct cs_object_facts *item; /* in the order in which they came */
    size_t count, room;
    uint32_t *slot; /* by number: 1 + index of the item; 0: free. A power of two, at most half full */
    size_t slots;
    uint64_t factor; /* of the hash; whoever writes a journal does not know it */
    struct cs_naming *naming;
    size_t namings, namings_room;
    struct cs_arena arena;
};

struct cs_objects *cs_objects_create(void)
{
    struct cs_objects *objects = calloc(1, sizeof *objects);
    if (objects)
        objects->factor = (0x9e3779b97f4a7c15u ^ cs_clock_pair().ticks << 20) | 1;
    return objects;
}

void cs_objects_destroy(struct cs_objects *objects)
{
    if (!objects)
        return;
    cs_arena_free(&objects->arena);
    free(objects->item);
    free(objects->slot);
    free(objects->naming);
    free(objects);
}

/* The slot where the number is or would be. */
static uint32_t *slot_of(const struct cs_objects *objects, uint32_t object)
{
    size_t at = (size_t)(object * objects->factor >> 32) & (objects->slots - 1);
    while (objects->slot[at] && objects->item[objects->slot[at] - 1].object != object)
        at = (at + 1) & (objects->slots - 1);
    return &objects->slot[at];
}

static bool grow_slots(struct cs_objects *objects)
{
    if (2 * objects->count < objects->slots)
        return true;
    size_t slots = objects->slots ? 2 * objects->slots : SLOTS_FIRST;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (!slot)
        return false;
    free(objects->slot);
    objects->slot = slot;
    objects->slots = slots;
    for (size_t i = 0; i < objects->count; i++)
        *slot_of(objects, objects->item[i].object) = (uint32_t)i + 1;
    return true;
}

struct cs_object_facts *cs_objects_find(struct cs_objects *objects, uint32_t object)
{
    /* Most facts are about the newest one. */
    if (objects->count && objects->item[objects->count - 1].object == object)
        return &objects->item[objects->count - 1];
    uint32_t found = objects->slots ? *slot_of(objects, object) : 0;
    return found ? &objects->item[found - 1] : NULL;
}

struct cs_object_facts *cs_objects_at(struct cs_objects *objects, uint32_t object)
{
    struct cs_object_facts *facts = cs_objects_find(objects, object);
    if (facts)
        return facts;
    if (objects->count >= UINT32_MAX - 1 || !grow_slots(objects) ||
        !cs_array_grow(&objects->item, objects->count, &objects->room, sizeof *objects->item))
        return NULL;
    facts = &objects->item[objects->count++];
    *facts = (struct cs_object_facts){.object = object};
    *slot_of(objects, object) = (uint32_t)objects->count;
    return facts;
}

void *cs_objects_copy(struct cs_objects *objects, const void *data, size_t bytes)
{
    return cs_arena_copy(&objects->arena, data, bytes);
}

const char *cs_objects_copy_text(struct cs_objects *objects, const char *text)
{
    char *converted;
    const char *valid = cs_utf8_of(text, &converted);
    const char *copy = valid ? cs_arena_copy(&objects->arena, valid, strlen(valid) + 1) : NULL;
    free(converted);
    return copy;
}

bool cs_objects_add_naming(struct cs_objects *objects, const struct cs_naming *naming)
{
    if (!cs_array_grow(&objects->naming, objects->namings, &objects->namings_room, sizeof *naming))
        return false;
    objects->naming[objects->namings++] = *naming;
    return true;
}

static int by_number(const void *left, const void *right)
{
    return cs_compare(((const struct cs_object_facts *)left)->object, ((const struct cs_object_facts *)right)->object);
}

/* They come in the order of their numbers, but for what threads do at the same time. */
void cs_objects_sort(struct cs_objects *objects)
{
    bool sorted = true;
    for (size_t i = 1; i < objects->count && sorted; i++)
        sorted = objects->item[i - 1].object < objects->item[i].object;
    if (!sorted)
        qsort(objects->item, objects->count, sizeof *objects->item, by_number);
    free(objects->slot);
    objects->slot = NULL;
    objects->slots = 0;
}

const struct cs_object_facts *cs_objects_item(const struct cs_objects *objects, size_t index)
{
    return index < objects->count ? &objects->item[index] : NULL;
}

const struct cs_naming *cs_objects_naming(const struct cs_objects *objects, size_t index)
{
    return index < objects->namings ? &objects->naming[index] : NULL;
}
