#include "wrappers/fallback/copies.h"

#include <stdlib.h>

#include "wrappers/fallback/lock.h"
#include "wrappers/fallback/object_table.h"

static const struct cs_own_result done = {.outcome = CS_OWN_DONE};

/* With the lock, which the callback does not hold. */
static int call_copy(struct cs_own_keyval *keyval, uint64_t object, struct cs_own_value in, struct cs_own_value *out,
                     int *flag)
{
    cs_own_unlock();
    int code = keyval->callbacks.call_copy(keyval, object, in, out, flag);
    cs_own_lock();
    return code;
}

struct copy {
    struct cs_own_keyval *keyval;
    uint64_t sequence;
    struct cs_own_value value;
};
struct cs_own_copies {
    size_t count;
    struct copy each[];
};

static void forget(struct cs_own_copies *copies)
{
    for (size_t i = 0; i < copies->count; i++)
        cs_own_keyval_release(copies->each[i].keyval);
    free(copies);
}

static struct cs_own_copies *snapshot(const struct cs_own_object *object)
{
    struct cs_own_copies *copies = malloc(sizeof *copies + object->attribute_count * sizeof *copies->each);
    if (!copies)
        return NULL;
    copies->count = 0;
    for (struct cs_own_attribute *each = object->attributes; each; each = each->next) {
        if (each->busy)
            continue;
        each->keyval->references++;
        copies->each[copies->count++] = (struct copy){each->keyval, each->sequence, each->value};
    }
    return copies;
}

/* Turns the snapshot into what the callbacks make of it. An attribute that has gone meanwhile is not copied. */
static struct cs_own_result copy_all(uint64_t handle, struct cs_own_copies *copies)
{
    struct cs_own_result result = done;
    size_t kept = 0;
    for (size_t i = 0; i < copies->count; i++) {
        struct copy one = copies->each[i];
        const struct cs_own_attribute_key key = {handle, (unsigned)one.keyval->number};
        struct cs_own_value out = one.value;
        int flag = 0, code = 0;
        if (result.outcome == CS_OWN_DONE && cs_own_attribute_same(one.keyval->kind, key, one.sequence))
            code = call_copy(one.keyval, handle, one.value, &out, &flag);
        if (code)
            result = (struct cs_own_result){CS_OWN_REFUSED, code};
        if (code || !flag)
            cs_own_keyval_release(one.keyval);
        else
            copies->each[kept++] = (struct copy){one.keyval, 0, out};
    }
    copies->count = kept;
    return result;
}

struct cs_own_result cs_own_copy(enum callsign_kind kind, uint64_t handle, struct cs_own_copies **copies)
{
    struct cs_own_result result = done;
    *copies = NULL;
    cs_own_lock();
    const struct cs_own_object *object = cs_own_object_find(kind, handle);
    if (object && object->attributes) {
        *copies = snapshot(object);
        result = *copies ? copy_all(handle, *copies) : (struct cs_own_result){.outcome = CS_OWN_NO_MEMORY};
        if (*copies && result.outcome != CS_OWN_DONE) {
            forget(*copies);
            *copies = NULL;
        }
    }
    cs_own_unlock();
    return result;
}

bool cs_own_attach(uint64_t duplicate, struct cs_own_copies *copies)
{
    bool all = true;
    if (!copies)
        return true;
    cs_own_lock();
    for (size_t i = 0; i < copies->count; i++)
        all &= cs_own_attribute_put(copies->each[i].keyval, duplicate, copies->each[i].value);
    forget(copies);
    cs_own_unlock();
    return all;
}

void cs_own_copies_drop(struct cs_own_copies *copies)
{
    if (!copies)
        return;
    cs_own_lock();
    forget(copies);
    cs_own_unlock();
}
