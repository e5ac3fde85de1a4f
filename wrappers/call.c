#include "wrappers/call.h"

#include "record/module.h"
#include "record/object.h"
#include "record/profile.h"
#include "record/recorder.h"
#include "record/stack.h"
#include "wrappers/objects.h"
#include "wrappers/roles.h"
#include "wrappers/start.h"

/* Inside another call. The Fortran layer of an MPI makes one call of several: the outer one was the program's, and its
   entry point records all that is known of it. A function that the Fortran layer only jumps to returns to our entry
   point. */
static bool is_fortran_layer(enum cs_module_owner owner)
{
    return owner == CS_MODULE_MPI_FORTRAN || owner == CS_MODULE_CALLSIGN;
}

/* Calls that longjmp or an exception left behind: a live caller's frame lies above ours on the stack. */
static void drop_abandoned(struct cs_thread *thread, const struct cs_call *call)
{
    while (thread->depth && thread->depth <= CS_DEPTH_MAX && thread->frames[thread->depth - 1] <= (const void *)call)
        thread->depth--;
}

/* False: nothing of this call is recorded. */
static bool enter_nested(struct cs_thread *thread, struct cs_call *call)
{
    drop_abandoned(thread, call);
    if (thread->depth == 0)
        return true;
    enum cs_module_owner owner = cs_module_owner_nested(call->site);
    if (is_fortran_layer(owner))
        return false;
    /* The library calls itself through its own public names. A user's callback inside MPI is the program. */
    call->counted = owner == CS_MODULE_PROGRAM;
    return true;
}

/* One by one: for a whole structure compilers use a string instruction, which costs as much as all else here. */
static inline void begin(struct cs_call *call, uint16_t function, const void *site)
{
    call->thread = NULL;
    call->site = (uint64_t)(uintptr_t)site;
    call->place = 0;
    call->start = call->stop = 0;
    call->since = &call->stop;
    call->shared_ticks = 0;
    call->sent_bytes = call->received_bytes = call->posted_bytes = 0;
    call->on = NULL;
    call->unknown = 0;
    call->details = NULL;
    call->freeing = NULL;
    call->communicator = call->made = 0;
    call->function = function;
    call->unknown_kind = 0;
    call->counted = call->receives = call->succeeded = false;
}

void cs_enter(struct cs_call *call, uint16_t function, const void *site)
{
    begin(call, function, site);
    struct cs_thread *thread = cs_thread_self;
    if (__builtin_expect(!thread, 0))
        thread = cs_start_thread();
    if (!thread || !cs_recorder.on)
        return;
    call->counted = true;
    if (__builtin_expect(thread->depth != 0, 0) && !enter_nested(thread, call))
        return;
    call->thread = thread;
    if (thread->depth == 0) {
        struct cs_thread_state *state = thread->state;
        state->object = 0;
        state->peer = CS_NO_PEER;
        state->tag = CS_NO_TAG;
        state->function = function;
        call->since = &state->since_ticks;
    }
    if (thread->depth < CS_DEPTH_MAX)
        thread->frames[thread->depth] = call;
    if (++thread->depth <= CS_DEPTH_MAX)
        thread->nested_ticks[thread->depth] = 0;
}

/* Each nanosecond counts once: a counted call inside (from a user's callback) has its own cell, so its time is not also
 * ours. */
static uint64_t own_ticks(struct cs_thread *thread, const struct cs_call *call)
{
    uint64_t spent = call->stop > call->start ? call->stop - call->start : 0;
    uint64_t nested = thread->depth <= CS_DEPTH_MAX ? thread->nested_ticks[thread->depth] : 0;
    unsigned outer = thread->depth - 1;
    if (outer == 0) {
        thread->state->function = 0;
        thread->state->calls++;
        thread->state->mpi_ticks += spent;
    } else if (outer <= CS_DEPTH_MAX) {
        thread->nested_ticks[outer] += call->counted ? spent : nested;
    }
    thread->depth = outer;
    uint64_t elsewhere = nested + call->shared_ticks;
    return spent > elsewhere ? spent - elsewhere : 0;
}

void cs_leave(struct cs_call *call)
{
    struct cs_thread *thread = call->thread;
    if (!thread)
        return;
    if (__builtin_expect(call->unknown && call->succeeded, 0))
        cs_adopt_unknown(call);
    if (thread->depth == 0)
        return; /* a callback of the program jumped out of an outer call, and this frame outlived it */
    uint64_t ticks = own_ticks(thread, call);
    if (!call->counted || cs_recorder.paused)
        return;
    uint64_t bytes = call->sent_bytes > call->received_bytes ? call->sent_bytes : call->received_bytes;
    if (call->posted_bytes > bytes)
        bytes = call->posted_bytes;
    cs_profile_call(
        thread, cs_profile_key(cs_call_profile_place(call), call->communicator, call->function, cs_size_class(bytes)),
        ticks, call->sent_bytes, call->received_bytes);
}

uint64_t cs_call_place(struct cs_call *call)
{
    if (!call->place)
        call->place = cs_recorder.stacks && call->thread ? cs_stack_take(call->thread, call->site) : call->site;
    return call->place;
}

uint64_t cs_call_profile_place(struct cs_call *call)
{
    return __builtin_expect(cs_recorder.call_stacks, 0) ? cs_call_place(call) : call->site;
}

bool cs_call_apart(struct cs_call *call, struct cs_last_call *told)
{
    const struct cs_thread *thread = call->thread;
    if (!thread || !call->counted || cs_recorder.paused || thread->depth != 1 || thread->nested_ticks[1] ||
        call->shared_ticks)
        return false;
    uint64_t spent = call->stop > call->start ? call->stop - call->start : 0;
    *told = (struct cs_last_call){cs_call_profile_place(call), spent};
    call->counted = false;
    return true;
}

/* ---- what the call is about ---- */

static void about(struct cs_call *call, uint32_t kind, uint64_t handle)
{
    struct cs_thread *thread = call->thread;
    if (!thread)
        return;
    /* Most calls are on the communicator of the call before. */
    const struct callsign_record *object = thread->latest;
    if (!object || !cs_object_is(object, kind, handle)) {
        object = cs_object_find(kind, handle);
        if (!object) {
            call->unknown = handle;
            call->unknown_kind = (uint16_t)kind;
            return;
        }
        thread->latest = object;
    }
    call->on = object;
    call->communicator = kind == CALLSIGN_COMMUNICATOR ? object->id : object->parent;
    if (thread->depth == 1)
        thread->state->object = object->id;
}

void cs_on_comm(struct cs_call *call, MPI_Comm comm)
{
    about(call, CALLSIGN_COMMUNICATOR, CS_KEY(comm));
}

void cs_on_win(struct cs_call *call, MPI_Win win)
{
    about(call, CALLSIGN_WINDOW, CS_KEY(win));
}

void cs_on_file(struct cs_call *call, MPI_File file)
{
    about(call, CALLSIGN_FILE, CS_KEY(file));
}

void cs_on_peer(struct cs_call *call, int peer, int tag)
{
    struct cs_thread *thread = call->thread;
    if (!thread || thread->depth != 1)
        return;
    thread->state->peer = peer;
    thread->state->tag = tag;
}
