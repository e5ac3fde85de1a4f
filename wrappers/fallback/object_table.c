#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Handles are addresses or small numbers, keyvals are numbered one after the other: a multiplication spreads them, and
   costs a third of what uthash does by itself. */
#define HASH_FUNCTION(key, bytes, hash) (hash) = spread((key), (bytes))
static unsigned spread(const void *key, size_t bytes)
{
    unsigned long long words[2] = {0, 0}, mixed;
    memcpy(words, key, bytes);
    mixed = (words[0] * 0x9E3779B97F4A7C15ull) ^ (words[1] * 0xC2B2AE3D27D4EB4Full);
    return (unsigned)(mixed ^ mixed >> 32);
}

#include "wrappers/fallback/object_table.h"

#include <utlist.h>

static_assert(sizeof(struct cs_own_attribute_key) == 16, "hashed as raw bytes: no padding");

static struct cs_own_object *objects[CALLSIGN_KINDS];
static struct cs_own_attribute *attributes;
static uint64_t last_sequence;

struct cs_own_object *cs_own_object_find(enum callsign_kind kind, uint64_t handle)
{
    struct cs_own_object *found;
    HASH_FIND(hh, objects[kind], &handle, sizeof handle, found);
    return found;
}

bool cs_own_object_link(struct cs_own_object *object)
{
    HASH_ADD(hh, objects[object->kind], handle, sizeof object->handle, object);
    return object->hh.tbl != NULL;
}

struct cs_own_object *cs_own_object_make(enum callsign_kind kind, uint64_t handle)
{
    struct cs_own_object *made = cs_own_object_find(kind, handle);
    if (made)
        return made;
    made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->handle = handle;
    made->kind = kind;
    if (cs_own_object_link(made))
        return made;
    free(made);
    return NULL;
}

void cs_own_object_unlink(struct cs_own_object *object)
{
    HASH_DELETE(hh, objects[object->kind], object);
}

void cs_own_object_discard(struct cs_own_object *object)
{
    if (!object)
        return;
    free(object->name);
    free(object->window);
    free(object);
}

void cs_own_object_drop_empty(struct cs_own_object *object)
{
    if (object->name || object->window || object->attributes || object->references)
        return;
    cs_own_object_unlink(object);
    cs_own_object_discard(object);
}

struct cs_own_attribute *cs_own_attribute_find(enum callsign_kind kind, uint64_t handle, int keyval)
{
    struct cs_own_attribute_key key = {handle, (unsigned)keyval};
    struct cs_own_attribute *found;
    HASH_FIND(hh, attributes, &key, sizeof key, found);
    return found && found->keyval->kind == kind ? found : NULL;
}

struct cs_own_attribute *cs_own_attribute_same(enum callsign_kind kind, struct cs_own_attribute_key key,
                                               uint64_t sequence)
{
    struct cs_own_attribute *found = cs_own_attribute_find(kind, key.object, (int)key.keyval);
    return found && found->sequence == sequence ? found : NULL;
}

static struct cs_own_attribute *make_attribute(struct cs_own_object *object, struct cs_own_keyval *keyval)
{
    struct cs_own_attribute *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->key = (struct cs_own_attribute_key){object->handle, (unsigned)keyval->number};
    HASH_ADD(hh, attributes, key, sizeof made->key, made);
    if (!made->hh.tbl) {
        free(made);
        return NULL;
    }
    made->object = object;
    made->keyval = keyval;
    keyval->references++;
    DL_APPEND(object->attributes, made);
    object->attribute_count++;
    return made;
}

static void set(struct cs_own_attribute *attribute, struct cs_own_value value)
{
    struct cs_own_object *object = attribute->object;
    attribute->value = value;
    attribute->sequence = ++last_sequence;
    attribute->busy = false;
    DL_DELETE(object->attributes, attribute);
    DL_APPEND(object->attributes, attribute);
}

bool cs_own_attribute_put(struct cs_own_keyval *keyval, uint64_t handle, struct cs_own_value value)
{
    struct cs_own_attribute *attribute = cs_own_attribute_find(keyval->kind, handle, keyval->number);
    if (!attribute) {
        struct cs_own_object *object = cs_own_object_make(keyval->kind, handle);
        attribute = object ? make_attribute(object, keyval) : NULL;
        if (object && !attribute)
            cs_own_object_drop_empty(object);
    }
    if (attribute)
        set(attribute, value);
    return attribute != NULL;
}

void cs_own_attribute_remove(struct cs_own_attribute *attribute)
{
    DL_DELETE(attribute->object->attributes, attribute);
    attribute->object->attribute_count--;
    HASH_DELETE(hh, attributes, attribute);
    cs_own_keyval_release(attribute->keyval);
    free(attribute);
}

uint64_t cs_own_sequence(void)
{
    return last_sequence;
}
