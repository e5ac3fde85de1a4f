#include "record/being_freed.h"

const struct callsign_record *cs_object_in_callback(enum callsign_kind kind, uint64_t handle)
{
    const struct cs_thread *thread = cs_thread_self;
    if (!thread || thread->depth < 2)
        return NULL;
    for (unsigned i = 0; i < thread->depth && i < CS_DEPTH_MAX; i++) {
        const struct callsign_record *object = thread->freeing[i];
        if (object && object->kind == kind && object->handle == handle)
            return object;
    }
    return kind == CALLSIGN_COMMUNICATOR || kind == CALLSIGN_DATATYPE ? cs_object_dead(kind, handle) : NULL;
}

/* For look-ups by the calls inside this one. Not through the calls themselves: one that was left by longjmp is no more.
 */
static void show(struct cs_thread *thread, struct callsign_record *object)
{
    unsigned level = thread->depth - 1; /* beyond all when a callback jumped out of this call */
    if (level < CS_DEPTH_MAX)
        thread->freeing[level] = object;
}

struct cs_being_freed cs_being_freed(struct cs_thread *thread, enum callsign_kind kind, uint64_t handle)
{
    struct cs_being_freed freed;
    freed.object = cs_object_unlink(kind, handle, &freed.referred);
    if (freed.object && !freed.referred)
        show(thread, freed.object);
    return freed;
}

void cs_being_freed_failed(struct cs_thread *thread, const struct cs_being_freed *freed)
{
    show(thread, NULL);
    if (freed->referred)
        cs_object_refer(freed->object->kind, freed->object->handle);
    else
        cs_object_relink(freed->object);
}

void cs_being_freed_died(struct cs_thread *thread, struct callsign_record *object, uint16_t function, uint64_t site,
                         uint64_t ticks, const struct cs_last_call *last)
{
    show(thread, NULL);
    cs_object_died(object, function, site, ticks, last);
}
