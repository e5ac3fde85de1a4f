/* The events of a thread: its last calls, in a ring of pages in the journal (cell ring of gen/model). A call is
 * written when it ends.
 *
 * An entry is two to five words. The count of complete words is stored last, so that a killed process leaves no half
 * entry. Times are relative to the end of the call before; those of a page's first call to base_ticks.
 *
 *   word 0   ticks from the end of the call before to the begin of this one (lower half), duration. polls: the sum of
 *            their durations
 *   word 1   place of its profile cell (lower half; 0: none), kind (8 bits), peer (24 bits, signed)
 *   word 2   sent, received, other: tag (lower half), bytes. collective: number on the object (lower half), bytes.
 *            polls: ticks from the first begin to the last end (40 bits), number of calls (24 bits). call: missing
 *   wide     two more words: upper halves of both times; peer (lower half), upper half of bytes
 *
 * A message has: tag (lower half), bytes; object (lower half), kind, peer; cs_ring_next when its receive was posted (0:
 * by the call that follows). wide: one more word with peer (lower half), upper half of bytes.
 *
 * A note has two words. About a request: cs_ring_next when it was posted; kind. About a window: number of the epoch, 0
 * for an exclusive lock; object (lower half), kind with CS_ENTRY_WINDOW, peer.
 *
 * The place of a profile cell is the number of its block among those of the thread (upper half), and its number in the
 * block, from 1.
 *
 * Threads take no lock here. A signal handler that calls MPI meanwhile finds the ring taken and writes nothing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "journal/format.h"
#include "record/call/event_window.h"
#include "record/process/cells.h"
#include "record/process/thread.h"

/* Reads the settings. */
void cs_ring_start(void);

/* The thread begins: it gets a ring, or keeps that of the ended thread whose state it uses. */
void cs_ring_begin(struct cs_thread *thread);

/* The number of the thread's next entry, from 1, with the thread's number in the upper 16 bits. Before events are
   recorded: a number that no entry has. */
static inline uint64_t cs_ring_next(const struct cs_thread *thread)
{
    return (thread->ring.next - (thread->ring.window == CS_EVENTS_BEFORE)) | (uint64_t)thread->number << 48;
}

/* A call that ends. */
struct cs_ring_call {
    uint64_t start, stop;
    uint64_t bytes;
    uint32_t place; /* of its profile cell */
    uint32_t object;
    uint32_t collective;
    int32_t peer, tag;
    uint8_t kind; /* enum cs_entry */
};

/* The parts of cs_ring_add. */
void cs_ring_turn(struct cs_thread *thread, uint64_t ticks);
bool cs_ring_look(struct cs_thread *thread, const struct cs_ring_call *call);
void cs_ring_add_wide(struct cs_thread *thread, const struct cs_ring_call *call);
bool cs_ring_add_poll(struct cs_ring *ring, const struct cs_ring_call *call);
void cs_ring_count(struct cs_thread *thread, uint32_t object, int32_t peer, int32_t tag, enum cs_direction direction);

/* Ends an entry. */
static inline void cs_ring_commit(struct cs_ring *ring, uint64_t *end)
{
    ring->at = end;
    ring->next++;
    cs_publish(ring->page->used, (uint32_t)(end - ring->page->words));
}

static inline bool cs_ring_is_peer_short(int32_t peer)
{
    return peer > -CS_ENTRY_NO_PEER && peer < CS_ENTRY_NO_PEER;
}

/* Word 1 of an entry. */
static inline uint64_t cs_ring_head(uint32_t lower, unsigned kind, int32_t peer)
{
    return lower | (uint64_t)kind << 32 | (uint64_t)(uint32_t)peer << 40;
}

/* Writes a call. Inline, so that the parts of the structure stay in registers. */
static inline __attribute__((always_inline)) void cs_ring_add(struct cs_thread *thread, const struct cs_ring_call *call)
{
    struct cs_ring *ring = &thread->ring;
    if (!ring->on)
        return;
    ring->on = false;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(call->stop >= ring->limit, 0) && !cs_ring_look(thread, call)) {
        ring->on = true;
        return;
    }
    if (__builtin_expect(call->kind == CS_ENTRY_POLLS, 0) && cs_ring_add_poll(ring, call)) {
        ring->on = true;
        return;
    }
    if (__builtin_expect(ring->end - ring->at < CS_ENTRY_WORDS, 0))
        cs_ring_turn(thread, call->start);
    uint64_t gap = call->start - ring->last_ticks, spent = call->stop - call->start;
    int32_t peer = call->peer == CS_NO_PEER ? -CS_ENTRY_NO_PEER : call->peer;
    ring->last_place = call->kind == CS_ENTRY_POLLS ? call->place : 0; /* a poll that found something stays alone */
    if (__builtin_expect((gap | spent | call->bytes) >> 32 || !cs_ring_is_peer_short(peer + (call->peer == CS_NO_PEER)),
                         0)) {
        cs_ring_add_wide(thread, call);
    } else {
        uint64_t *at = ring->at;
        *at++ = gap | spent << 32;
        *at++ = cs_ring_head(call->place, call->kind, peer);
        if (call->kind == CS_ENTRY_POLLS)
            *at++ = spent | (uint64_t)1 << CS_ENTRY_SPAN_BITS;
        else if (call->kind != CS_ENTRY_CALL)
            *at++ = (call->kind == CS_ENTRY_COLLECTIVE ? call->collective : (uint32_t)call->tag) | call->bytes << 32;
        if (call->kind == CS_ENTRY_SENT || call->kind == CS_ENTRY_RECEIVED)
            cs_ring_count(thread, call->object, call->peer, call->tag,
                          call->kind == CS_ENTRY_SENT ? CS_SEND : CS_RECEIVE);
        ring->last_ticks = call->stop;
        cs_ring_commit(ring, at);
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    ring->on = true;
}

/* Writes a message that the current call completed or sent besides its own. posted: cs_ring_next when its receive was
   posted; 0: by this call. peer CS_NO_PEER: the receive was cancelled and took no message. */
void cs_ring_add_message(struct cs_thread *thread, enum cs_direction direction, uint32_t object, int32_t peer,
                         int32_t tag, uint64_t bytes, uint64_t posted);

/* Notes that the current call completes a request which received nothing. posted: cs_ring_next when it was posted. */
void cs_ring_note_request(struct cs_thread *thread, uint64_t posted);

/* Notes that the current call opens or closes the epoch of a window with a peer. epoch: its number, from 1; 0: the call
   takes an exclusive lock. */
void cs_ring_note_window(struct cs_thread *thread, uint32_t window, int32_t peer, uint32_t epoch);

/* True for functions that programs repeat until they find something. */
extern uint64_t cs_ring_polling[] __attribute__((visibility("hidden")));
static inline bool cs_ring_is_polling(uint16_t function)
{
    return cs_ring_polling[function / 64] >> function % 64 & 1;
}
