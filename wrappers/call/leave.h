/* The end of a call in the steady state: it is the program's own, not inside another, follows a call that it has
   followed before, and reaches no instant at which more is done. All is looked at first; then it adds to what its step
   has. */
#pragma once

#include "record/call/placement.h"
#include "record/call/profile.h"
#include "record/call/ring.h"
#include "record/call/step.h"
#include "record/call/stretch.h"
#include "wrappers/call/call.h"

static_assert(offsetof(struct cs_call, function) == offsetof(struct cs_call, about) + 4 &&
                  offsetof(struct cs_call, waits) == offsetof(struct cs_call, about) + 7 &&
                  offsetof(struct cs_thread, last_function) == offsetof(struct cs_thread, last_about) + 4 &&
                  offsetof(struct cs_thread, last_waits) == offsetof(struct cs_thread, last_about) + 7,
              "object, function and what the call waits for are one word, lowest first");
static_assert(offsetof(struct cs_thread, last_tag) == offsetof(struct cs_thread, last_peer) + sizeof(int32_t),
              "peer and tag are one word");

/* Object and function of a call, and what it waits for: a word of struct cs_call. */
static inline uint64_t cs_leave_subject(const struct cs_call *call)
{
    uint64_t word;
    memcpy(&word, (const char *)call + offsetof(struct cs_call, about), sizeof word);
    return word;
}

/* Object and function, as in struct cs_profile_key. */
static inline uint64_t cs_leave_what(uint64_t subject)
{
    return subject & (((uint64_t)1 << CS_PROFILE_SIZE_SHIFT) - 1);
}

/* The end of the outermost call of the thread. */
static inline __attribute__((always_inline)) void cs_leave_show(struct cs_thread *thread, const struct cs_call *call,
                                                                uint64_t subject, uint64_t spent, struct cs_step *step)
{
    struct cs_thread_state *state = thread->state;
    __atomic_store_n(&state->doing, CS_THREAD_OUTSIDE, __ATOMIC_RELAXED);
    state->until_ticks = call->stop;
    state->calls++;
    state->mpi_ticks += spent;
    thread->step = step;
    /* For cores, which do not contain the journal. */
    thread->last_site = call->innermost;
    thread->last_ticks = call->stop;
    memcpy((char *)thread + offsetof(struct cs_thread, last_peer), (const char *)call + offsetof(struct cs_call, peer),
           sizeof(uint64_t));
    memcpy((char *)thread + offsetof(struct cs_thread, last_about), &subject, sizeof subject);
}

/* Afterwards a signal handler may begin a call as the outermost one. */
static inline void cs_leave_depth(struct cs_thread *thread, uint32_t depth)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    thread->depth = depth;
}

/* Writes the event of a call that may have peer, bytes or a number, and ends it. head: of a plain event. */
typedef void cs_leave_write(struct cs_thread *thread, const struct cs_call *call, uint64_t head, uint64_t spent,
                            uint64_t bytes);

/* The same for a call that has none of them. */
static inline __attribute__((always_inline)) void cs_leave_write_plain(struct cs_thread *thread,
                                                                       const struct cs_call *call, uint64_t head,
                                                                       uint64_t spent, uint64_t bytes)
{
    struct cs_ring *ring = &thread->ring;
    (void)bytes;
    cs_ring_write_plain(ring, head, call->start - ring->last_ticks, spent, call->stop);
    cs_leave_depth(thread, 0);
}

/* The same for a call with an envelope. value: as in cs_ring_write_short. */
static inline __attribute__((always_inline)) void cs_leave_write_envelope(struct cs_thread *thread,
                                                                          const struct cs_call *call, uint32_t place,
                                                                          unsigned kind, int32_t peer, uint32_t value,
                                                                          uint64_t bytes)
{
    if (__builtin_expect(!cs_ring_is_short(0, 0, bytes, peer), 0)) {
        cs_leave_write_otherwise(thread, call, place, bytes);
        return;
    }
    if ((kind == CS_ENTRY_SENT || kind == CS_ENTRY_RECEIVED) && peer >= 0) {
        if (__builtin_expect(!cs_ring_can_count(thread, call->cells), 0)) {
            cs_leave_write_otherwise(thread, call, place, bytes);
            return;
        }
        cs_ring_count_in(&thread->ring, call->cells->channel);
    }
    cs_ring_write_short(&thread->ring, place, kind, peer, value, bytes, call->start, call->stop);
    cs_leave_depth(thread, 0);
}

/* True if the call must be looked at more closely. */
static inline __attribute__((always_inline)) bool cs_leave_is_rare(const struct cs_thread *thread,
                                                                   const struct cs_call *call, uint64_t spent)
{
    return thread->depth != 1 || call->stop >= thread->look_ticks || spent >= cs_recorder.long_ticks ||
           cs_cpu_is_another(thread) || !cs_ring_has_room(&thread->ring);
}

/* Adds a call in the steady state to what its step has. bytes: cs_call_bytes. */
static inline __attribute__((always_inline)) void cs_leave_add(struct cs_call *call, struct cs_step *step,
                                                               uint64_t subject, uint64_t spent, uint64_t bytes,
                                                               cs_leave_write *write)
{
    struct cs_thread *thread = call->thread;
    cs_stretch_add_to(step->stretch, call->start - thread->last_ticks, spent);
    cs_profile_add_to(step->cell, 1, spent, spent);
    if (bytes)
        cs_profile_add_bytes(step->cell, call->sent_bytes, call->received_bytes);
    cs_leave_show(thread, call, subject, spent, step);
    if (__builtin_expect(thread->ring.on, 1)) {
        write(thread, call, step->head, spent, bytes);
    } else {
        thread->ring.last_ticks = call->stop;
        cs_leave_depth(thread, 0);
    }
}

/* Object, function and region, as in struct cs_profile_key. */
static inline uint64_t cs_leave_what_here(uint64_t subject)
{
    return cs_leave_what(subject) | atomic_load_explicit(&cs_recorder.region, memory_order_relaxed);
}

/* The size class, likewise. */
static inline uint64_t cs_leave_size(uint64_t bytes)
{
    return (uint64_t)cs_size_class(bytes) << CS_PROFILE_SIZE_SHIFT;
}

/* The step of a call in the steady state, or NULL. search: it may follow another call than the last time. */
static inline __attribute__((always_inline)) struct cs_step *
cs_leave_step(const struct cs_call *call, struct cs_profile_key key, uint64_t spent, bool search)
{
    struct cs_thread *thread = call->thread;
    struct cs_step *step = search ? cs_step_next(thread, key) : thread->step->next;
    if (__builtin_expect(search ? !step : !cs_step_is(step, key), 0))
        return NULL;
    return __builtin_expect(cs_leave_is_rare(thread, call, spent), 0) ? NULL : step;
}

/* Returns false for a call that is not in the steady state. site: call site for the profile. */
static inline __attribute__((always_inline)) bool cs_leave_steadily(struct cs_call *call, uint64_t site,
                                                                    cs_leave_write *write, bool search)
{
    uint64_t bytes = write == cs_leave_write_plain ? 0 : call->sent_bytes | call->received_bytes | call->posted_bytes;
    const uint64_t subject = cs_leave_subject(call), spent = call->stop - call->start;
    uint64_t what = cs_leave_what_here(subject);
    if (bytes) {
        bytes = cs_call_bytes(call);
        what |= cs_leave_size(bytes);
    }
    struct cs_step *step = cs_leave_step(call, (struct cs_profile_key){site, what}, spent, search);
    if (step)
        cs_leave_add(call, step, subject, spent, bytes, write);
    return step != NULL;
}

/* ---- calls that are about an object at most ---- */

/* In the steady state, such a call calls nothing but the MPI: its wrapper keeps arguments and results in registers.
   Everything else has functions of its own. */

/* Begins a call on the object of the call before; kind 0: a call on none. Returns false if it is not such a call; then
   nothing has begun. */
static inline __attribute__((always_inline)) bool cs_begin_plain(struct cs_call *call, uint16_t function, unsigned kind,
                                                                 uint64_t handle, const void *site)
{
    struct cs_thread *thread = cs_thread_self;
    CS_TELL_UNWINDING();
    if (__builtin_expect(!cs_thread_is_ready(thread) || !cs_clock_counter, 0))
        return false;
    const struct callsign_record *object = kind ? thread->last_object : NULL;
    if (kind && __builtin_expect(!object || !cs_object_is(object, kind, handle), 0))
        return false;
    const uint32_t about = kind ? object->id : 0;
    struct cs_thread_state *state = thread->state;
    cs_call_begin(thread, call, function, about, (uint64_t)(uintptr_t)site, __builtin_frame_address(0), true);
    const uint64_t now = cs_clock_counter_ticks();
    if (__builtin_expect(now - thread->last_ticks >= cs_recorder.long_ticks, 0)) {
        cs_leave_depth(thread, 0);
        return false;
    }
    state->since_ticks = call->start = now;
    return true;
}

/* The call failed, or is not in the steady state. Returns the result. */
int cs_end_plain_otherwise(struct cs_call *call, int result);

/* Ends it. */
static inline __attribute__((always_inline)) int cs_end_plain(struct cs_call *call, int result)
{
    call->stop = cs_clock_counter_ticks();
    struct cs_thread *thread = call->thread;
    struct cs_step *step = thread->step->next;
    const uint64_t subject = cs_leave_subject(call), spent = call->stop - call->start;
    const struct cs_profile_key key = {call->innermost,
                                       subject | atomic_load_explicit(&cs_recorder.region, memory_order_relaxed)};
    if (__builtin_expect(result != MPI_SUCCESS || !cs_step_is(step, key) || cs_leave_is_rare(thread, call, spent), 0))
        return cs_end_plain_otherwise(call, result);
    cs_leave_add(call, step, subject, spent, 0, cs_leave_write_plain);
    return result;
}
