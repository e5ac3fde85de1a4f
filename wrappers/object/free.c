#include "wrappers/object/free.h"

#include "record/attribute_values.h"
#include "record/request.h"
#include "wrappers/object/apply.h"
#include "wrappers/object/world.h"

/* Kinds whose objects a call is about: its time belongs to them. */
static bool is_about(enum callsign_kind kind)
{
    return kind == CALLSIGN_COMMUNICATOR || kind == CALLSIGN_WINDOW || kind == CALLSIGN_FILE;
}

void cs_freeing(struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    if (!call->thread)
        return;
    call->freeing = cs_being_freed(call->thread, kind, handle);
    const struct callsign_record *object = call->freeing.object;
    if (!object) {
        call->unknown = handle;
        call->unknown_kind = (uint8_t)kind;
    }
    if (kind == CALLSIGN_SESSION)
        cs_world_forget_unused();
    if (!is_about(kind))
        return;
    if (object && kind == CALLSIGN_COMMUNICATOR && !call->freeing.referred)
        cs_world_keep(object);
    if (!object) /* what nobody can free is still what the call is about */
        object = cs_object_look_up(kind, handle);
    if (!object)
        return;
    call->about = object->id;
    if (call->thread->depth == 1)
        call->thread->state->object = object->id;
}

/* A handle that callsign did not know, but callbacks inside the free used it: then it was adopted there. */
static void freed_unknown(struct cs_call *call)
{
    const struct callsign_record *adopted = cs_object_find(call->unknown_kind, call->unknown);
    if (adopted && cs_object_flags(adopted) & CS_OBJECT_ADOPTED)
        call->freeing = cs_being_freed(call->thread, call->unknown_kind, call->unknown);
}

static void died(struct cs_call *call)
{
    struct callsign_record *object = call->freeing.object;
    struct cs_last_call last;
    bool excluded = object->kind == CALLSIGN_COMMUNICATOR && cs_call_exclude(call, &last);
    cs_apply_forget(object);
    if (__builtin_expect(cs_holds(object), 0))
        cs_held_died(object);
    if (is_about(object->kind))
        cs_pending_tell(object->id, call->stop);
    cs_being_freed_died(call->thread, object, call->function, cs_call_site(call), call->stop, excluded ? &last : NULL);
}

void cs_freed(struct cs_call *call, int result)
{
    bool success = result == MPI_SUCCESS;
    if (!call->thread)
        return;
    if (call->unknown && success)
        freed_unknown(call);
    call->unknown = 0;
    if (!call->freeing.object || call->thread->depth == 0) /* 0: a callback jumped out, see cs_thread_abandon */
        return;
    if (!success)
        cs_being_freed_failed(call->thread, &call->freeing);
    else if (!call->freeing.referred)
        died(call);
}
