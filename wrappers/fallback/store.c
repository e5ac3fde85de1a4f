#include "wrappers/fallback/store.h"

#include "wrappers/fallback/lock.h"
#include "wrappers/fallback/object_table.h"

/* How often what a delete callback sets again is deleted by the call that ran it, before it is dropped: a callback that
   always does would keep it for ever. */
enum { ROUNDS = 8 };

static const struct cs_own_result done = {.outcome = CS_OWN_DONE};

static struct cs_own_result failed(enum cs_own_outcome outcome)
{
    return (struct cs_own_result){.outcome = outcome};
}

/* ---- callbacks: entered and left with the lock, which they do not hold meanwhile ---- */

/* Runs the delete callback of a value. The attribute may be gone afterwards. */
static int call_delete(struct cs_own_attribute *attribute)
{
    struct cs_own_keyval *keyval = attribute->keyval;
    struct cs_own_attribute_key key = attribute->key;
    struct cs_own_value value = attribute->value;
    uint64_t sequence = attribute->sequence;
    attribute->busy = true;
    keyval->references++;
    cs_own_unlock();
    int code = keyval->callbacks.call_delete(keyval, key.object, value);
    cs_own_lock();
    attribute = cs_own_attribute_same(keyval->kind, key, sequence);
    if (attribute)
        attribute->busy = false;
    cs_own_keyval_release(keyval);
    return code;
}

/* ---- keyvals ---- */

enum cs_own_outcome cs_own_keyval_create(enum callsign_kind kind, const struct cs_own_callbacks *callbacks, int *number)
{
    cs_own_lock();
    struct cs_own_keyval *made = cs_own_keyval_make(kind, callbacks);
    if (made)
        *number = made->number;
    cs_own_unlock();
    return made ? CS_OWN_DONE : CS_OWN_NO_MEMORY;
}

enum cs_own_outcome cs_own_keyval_free(enum callsign_kind kind, int number)
{
    cs_own_lock();
    struct cs_own_keyval *keyval = cs_own_keyval_find(kind, number);
    if (keyval && !keyval->freed) {
        keyval->freed = true;
        cs_own_keyval_release(keyval);
    }
    cs_own_unlock();
    return keyval ? CS_OWN_DONE : CS_OWN_NO_KEYVAL;
}

/* ---- attributes ---- */

/* A value whose callback is running is replaced without another: that call is deleting it. */
static struct cs_own_result replace(struct cs_own_keyval *keyval, uint64_t handle, struct cs_own_value value)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct cs_own_attribute *old = cs_own_attribute_find(keyval->kind, handle, keyval->number);
        if (!old || old->busy)
            break;
        struct cs_own_attribute_key key = old->key;
        uint64_t sequence = old->sequence;
        int code = call_delete(old);
        if (code)
            return (struct cs_own_result){CS_OWN_REFUSED, code};
        if (cs_own_attribute_same(keyval->kind, key, sequence))
            break;
    }
    return failed(cs_own_attribute_put(keyval, handle, value) ? CS_OWN_DONE : CS_OWN_NO_MEMORY);
}

struct cs_own_result cs_own_set(enum callsign_kind kind, uint64_t object, int number, struct cs_own_value value)
{
    struct cs_own_result result = failed(CS_OWN_NO_KEYVAL);
    cs_own_lock();
    struct cs_own_keyval *keyval = cs_own_keyval_find(kind, number);
    if (keyval) {
        keyval->references++;
        result = replace(keyval, object, value);
        cs_own_keyval_release(keyval);
    }
    cs_own_unlock();
    return result;
}

enum cs_own_outcome cs_own_get(enum callsign_kind kind, uint64_t object, int keyval, struct cs_own_answer *answer)
{
    cs_own_lock();
    const struct cs_own_attribute *attribute = cs_own_attribute_find(kind, object, keyval);
    bool known = attribute || cs_own_keyval_find(kind, keyval);
    answer->found = attribute != NULL;
    if (attribute) {
        answer->value = attribute->value;
        answer->kept = &attribute->value;
    }
    cs_own_unlock();
    return known ? CS_OWN_DONE : CS_OWN_NO_KEYVAL;
}

/* Deletes one; what its callback has set in its place stays. */
static struct cs_own_result remove_one(struct cs_own_attribute *attribute, bool in_spite)
{
    enum callsign_kind kind = attribute->keyval->kind;
    struct cs_own_attribute_key key = attribute->key;
    uint64_t sequence = attribute->sequence;
    int code = call_delete(attribute);
    if (code && !in_spite)
        return (struct cs_own_result){CS_OWN_REFUSED, code};
    attribute = cs_own_attribute_same(kind, key, sequence);
    if (attribute) {
        struct cs_own_object *object = attribute->object;
        cs_own_attribute_remove(attribute);
        cs_own_object_drop_empty(object);
    }
    return done;
}

struct cs_own_result cs_own_delete(enum callsign_kind kind, uint64_t object, int keyval)
{
    struct cs_own_result result = done;
    cs_own_lock();
    struct cs_own_attribute *attribute = cs_own_attribute_find(kind, object, keyval);
    if (attribute && !attribute->busy)
        result = remove_one(attribute, false);
    else if (!attribute && !cs_own_keyval_find(kind, keyval))
        result = failed(CS_OWN_NO_KEYVAL);
    cs_own_unlock();
    return result;
}

static struct cs_own_attribute *newest(enum callsign_kind kind, uint64_t handle)
{
    const struct cs_own_object *object = cs_own_object_find(kind, handle);
    struct cs_own_attribute *attribute = object && object->attributes ? object->attributes->prev : NULL;
    while (attribute && attribute->busy)
        attribute = attribute == object->attributes ? NULL : attribute->prev;
    return attribute;
}

struct cs_own_result cs_own_clear(enum callsign_kind kind, uint64_t handle, bool in_spite)
{
    struct cs_own_result result = done;
    struct cs_own_attribute *attribute;
    int round = 0;
    cs_own_lock();
    uint64_t known = cs_own_sequence();
    while (result.outcome == CS_OWN_DONE && (attribute = newest(kind, handle))) {
        if (attribute->sequence > known) {
            if (++round == ROUNDS)
                break;
            known = cs_own_sequence();
        }
        result = remove_one(attribute, in_spite);
    }
    cs_own_unlock();
    return result;
}
