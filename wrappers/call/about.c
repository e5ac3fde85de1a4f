#include "wrappers/call/about.h"

#include "record/call/profile.h"
#include "record/message/request.h"
#include "record/object/collective.h"
#include "wrappers/call/handles.h"

static inline void on(struct cs_call *call, const struct callsign_record *object)
{
    call->on = object;
    call->about = object->id;
    if (call->thread->depth == 1)
        __atomic_store_n(&call->thread->state->object, object->id, __ATOMIC_RELAXED);
    else if (call->counted)
        call->thread->state->inner.object = object->id;
}

void cs_on_another(struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    const struct callsign_record *object = cs_object_look_up(kind, handle);
    if (!object) {
        call->unknown = handle;
        call->unknown_kind = (uint8_t)kind;
        cs_unknown_check(call);
        return;
    }
    if (call->thread->depth == 1)
        call->thread->last_object = object;
    on(call, object);
}

/* Fortran handles are reused like C handles. An object whose end callsign missed still looks alive, but
   cs_birth_register drops it when the next object gets the handle. */
bool cs_call_is_on_last(struct cs_call *call, enum callsign_kind kind, int fortran_handle)
{
    const struct callsign_record *last = call->thread->last_object;
    if (!last || !cs_object_is_live(last) || last->kind != kind || last->fortran_handle != fortran_handle)
        return false;
    on(call, last);
    return true;
}

void cs_call_on_request(struct cs_call *call, const struct cs_request *request)
{
    if (!request->references)
        return;
    call->about = cs_profile_object(request->started);
    cs_call_set_peer(call, request->peer, request->tag);
    call->waits = (uint8_t)(request->flags & (CALLSIGN_REQUEST_RECEIVES | CALLSIGN_REQUEST_SENDS));
    struct cs_thread_state *state = call->thread->state;
    if (call->thread->depth != 1) {
        if (call->counted)
            state->inner.object = call->about;
        return;
    }
    __atomic_store_n(&state->object, call->about, __ATOMIC_RELAXED);
    state->peer = request->peer;
    state->tag = request->tag;
    state->bytes = request->bytes;
    state->request_flags = request->flags;
}

/* Peer and tag of the call, and of the thread while it is in it. */
static void set_peer(struct cs_call *call, int32_t peer, int32_t tag)
{
    const struct cs_thread *thread = call->thread;
    cs_call_set_peer(call, peer, tag);
    struct cs_thread_state *state = thread->state;
    if (thread->depth == 1) {
        state->peer = call->peer;
        state->tag = call->tag;
    } else if (call->counted) {
        state->inner.peer = call->peer;
        state->inner.tag = call->tag;
    }
}

void cs_on_peer_otherwise(struct cs_call *call, int peer, int tag)
{
    set_peer(call, cs_peer_of(peer), tag == MPI_ANY_TAG ? CS_TAG_ANY : tag);
}

void cs_on_tag(struct cs_call *call, int tag)
{
    set_peer(call, CS_NO_PEER, tag);
}

void cs_on_source(struct cs_call *call, int source, int tag)
{
    struct cs_thread_state *state = call->thread->state;
    if (call->thread->depth != 1)
        return;
    state->source = cs_peer_of(source);
    state->source_tag = tag == MPI_ANY_TAG ? CS_TAG_ANY : tag;
}

static inline void set_collective(struct cs_call *call, const struct cs_thread *thread, uint32_t number)
{
    call->collective = number;
    if (thread->depth == 1)
        thread->state->collective = number;
    else
        thread->state->inner.collective = number;
}

static __attribute__((noinline)) void begin_collective(struct cs_call *call, struct cs_collective_function what,
                                                       const struct cs_collective_data *data)
{
    set_collective(call, call->thread,
                   cs_collective_begin(call->thread, call->about, what, call->innermost, data,
                                       call->freeing.object && !call->freeing.referred));
}

static inline __attribute__((always_inline)) void collective(struct cs_call *call, uint16_t operation,
                                                             const struct cs_collective_data *data)
{
    const struct cs_thread *thread = call->thread;
    const struct cs_collective_function what = {call->function, operation, call->peer};
    uint32_t number = cs_collective_begin_steadily(thread, call->about, what, call->innermost, data);
    if (__builtin_expect(!number, 0)) {
        begin_collective(call, what, data);
        return;
    }
    set_collective(call, thread, number);
}

void cs_collective_recorded(struct cs_call *call, uint16_t operation)
{
    collective(call, operation, NULL);
}

void cs_collective_recorded_with(struct cs_call *call, uint16_t operation)
{
    collective(call, operation, &call->data);
}

void cs_collective_failed(const struct cs_call *call)
{
    if (call->thread && call->counted && call->collective)
        cs_collective_fail(call->thread, call->about, call->collective);
}

void cs_on(struct cs_call *call, enum callsign_kind kind, uint64_t handle)
{
    if (call->thread)
        call->on = cs_object_look_up(kind, handle);
}

/* ---- synchronizing collectives ---- */

void cs_synchronizing_recorded(struct cs_call *call)
{
    cs_synchronization_enter(call->thread, call->on->id);
}

void cs_synchronized_recorded(struct cs_call *call)
{
    cs_synchronization_leave(call->thread, call->on->id, (struct cs_synchronization_span){call->start, call->stop});
}

void cs_synchronized_by_data_recorded(struct cs_call *call)
{
    struct cs_synchronization_span span = {.entered = call->sent_bytes ? call->start : 0,
                                           .left = call->received_bytes ? call->stop : 0};
    if (span.entered || span.left)
        cs_synchronization_leave(call->thread, call->on->id, span);
    else
        cs_synchronization_pass(call->thread, call->on->id);
}
