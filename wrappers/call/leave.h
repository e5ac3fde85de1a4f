/* The end of a call in the steady state: it is the program's own, not inside another, follows the same call as last
   time, and reaches no instant at which more is done. All is looked at first; then it adds to what its step has. */
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

/* The end of the outermost call of the thread. at: cs_step_at. */
static inline __attribute__((always_inline)) void cs_leave_show(struct cs_thread *thread, const struct cs_call *call,
                                                                uint64_t spent, uint64_t at)
{
    struct cs_thread_state *state = thread->state;
    __atomic_store_n(&state->doing, CS_THREAD_OUTSIDE, __ATOMIC_RELAXED);
    state->until_ticks = call->stop;
    state->calls++;
    state->mpi_ticks += spent;
    thread->last_at = at;
    /* For cores, which do not contain the journal. */
    thread->last_site = call->innermost;
    thread->last_ticks = call->stop;
    memcpy((char *)thread + offsetof(struct cs_thread, last_peer), (const char *)call + offsetof(struct cs_call, peer),
           sizeof(uint64_t));
    memcpy((char *)thread + offsetof(struct cs_thread, last_about),
           (const char *)call + offsetof(struct cs_call, about), sizeof(uint64_t));
}

/* Afterwards a signal handler may begin a call as the outermost one. */
static inline void cs_leave_depth(struct cs_thread *thread, uint32_t depth)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    thread->depth = depth;
}

/* Bytes of the call, for its size class and its event. */
static inline uint64_t cs_leave_bytes(const struct cs_call *call)
{
    uint64_t bytes = call->sent_bytes > call->received_bytes ? call->sent_bytes : call->received_bytes;
    return call->posted_bytes > bytes ? call->posted_bytes : bytes;
}

/* The end of any call. */
void cs_leave_otherwise(struct cs_thread *thread, struct cs_call *call);

/* Writes an event with peer, bytes or a number. place: of its profile cell. */
typedef void cs_leave_add_envelope(struct cs_thread *thread, const struct cs_call *call, uint32_t place, uint64_t bytes,
                                   uint64_t gap, uint64_t spent);

/* Returns false for a call that is not in the steady state. site: call site for the profile. add_envelope NULL: the
   call is plain, it has neither peer nor bytes nor a number. */
static inline __attribute__((always_inline)) bool cs_leave_steadily(struct cs_call *call, uint16_t function,
                                                                    uint64_t site, cs_leave_add_envelope *add_envelope)
{
    struct cs_thread *thread = call->thread;
    struct cs_ring *ring = &thread->ring;
    uint64_t bytes = !add_envelope ? 0 : call->sent_bytes | call->received_bytes | call->posted_bytes;
    if (bytes)
        bytes = cs_leave_bytes(call);
    const struct cs_step_key key = cs_step_key(thread, site, function, call->about, bytes);
    struct cs_step *step = cs_step_slot(thread, key);
    __asm__("" : "+r"(step)); /* gcc would compute the address anew for each field */
    const uint64_t spent = call->stop - call->start;
    if (__builtin_expect(!cs_step_is(step, key) || thread->depth != 1 || call->stop >= thread->look_ticks ||
                             spent >= cs_recorder.long_ticks || cs_cpu_is_another(thread) || !cs_ring_has_room(ring),
                         0))
        return false;
    const uint64_t gap = call->start - ring->last_ticks;
    cs_stretch_add_to(step->stretch, call->start - thread->last_ticks, spent);
    cs_profile_add_to(step->cell, 1, spent, spent);
    if (bytes)
        cs_profile_add_bytes(step->cell, call->sent_bytes, call->received_bytes);
    cs_leave_show(thread, call, spent, key.at);
    if (__builtin_expect(!ring->on, 0)) {
        ring->last_ticks = call->stop;
    } else if (add_envelope && (call->message | call->collective | bytes || cs_call_has_peer(call))) {
        add_envelope(thread, call, (uint32_t)step->head, bytes, gap, spent);
    } else {
        cs_ring_write_plain(ring, step->head, gap, spent, call->stop);
    }
    cs_leave_depth(thread, 0);
    return true;
}

/* cs_leave for a call that cs_enter_plain began. */
static inline __attribute__((always_inline)) void cs_leave_plain(struct cs_call *call, uint16_t function)
{
    if (__builtin_expect(!cs_leave_steadily(call, function, call->innermost, NULL), 0))
        cs_leave_otherwise(call->thread, call);
}
