#include "record/object_tree.h"

#include <stdlib.h>

#include "record/identity.h"
#include "record/object.h"
#include "record/synchronization.h"

/* A set of ids, as bits. */
struct ids {
    uint8_t *bits;
    uint32_t last; /* highest id there is room for */
    bool grew;
};

static bool has(const struct ids *ids, uint32_t id)
{
    return id && id <= ids->last && (ids->bits[id / 8] & 1 << id % 8);
}

static void see_last(const struct callsign_record *object, void *context)
{
    struct ids *ids = context;
    if (object->id > ids->last)
        ids->last = object->id;
}

/* The MPI is done with this object, however often it was handed out. */
static void end(const struct callsign_record *object)
{
    bool referred = true;
    cs_identity_drop(object->id);
    cs_synchronization_end(object->id);
    while (referred)
        cs_object_unlink(object->kind, object->handle, &referred);
}

static void end_if_descendant(const struct callsign_record *object, void *context)
{
    struct ids *ids = context;
    if (!has(ids, object->parent) || has(ids, object->id) || object->id > ids->last)
        return;
    ids->bits[object->id / 8] |= (uint8_t)(1 << object->id % 8);
    ids->grew = true;
    if (cs_object_is(object, object->kind, object->handle))
        end(object);
}

/* Records are used again, so that a child may stand before its parent: once more until nothing is found. */
void cs_object_ended(uint32_t id)
{
    struct ids ids = {.last = id};
    cs_object_each(see_last, &ids);
    ids.bits = calloc(ids.last / 8 + 1, 1);
    if (!ids.bits)
        return;
    ids.bits[id / 8] |= (uint8_t)(1 << id % 8);
    do {
        ids.grew = false;
        cs_object_each(end_if_descendant, &ids);
    } while (ids.grew);
    free(ids.bits);
}
