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
 * A note has two words. About a request: cs_ring_next when it was posted; kind. Before a probe that matched a message:
 * the number of the probe itself; before the call that takes this message: likewise. About a window: number of the
 * epoch, 0 for an exclusive lock; object (lower half), kind with CS_ENTRY_WINDOW, peer.
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

/* The same for a receive that the call starts with others: nth is its place among them, from 0. Further ones share the
   last place. */
static inline uint64_t cs_ring_next_of(const struct cs_thread *thread, unsigned nth)
{
    const unsigned most = (1u << CS_ENTRY_NTH_BITS) - 1;
    return cs_ring_next(thread) | (uint64_t)(nth < most ? nth : most) << CS_ENTRY_NUMBER_BITS;
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

/* True if the page has room for any entry. */
static inline bool cs_ring_has_room(const struct cs_ring *ring)
{
    return ring->page->used <= CS_RING_WORDS - CS_ENTRY_WORDS;
}

/* Ends an entry of so many words, which begins at words[used]. */
static inline void cs_ring_commit(struct cs_ring *ring, size_t used, uint32_t words)
{
    ring->next++;
    cs_publish(ring->page->used, (uint32_t)used + words);
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

static const struct cs_cell_type cs_channel_cells = {
    .block = CS_BLOCK_CHANNEL,
    .bytes = sizeof(struct cs_channel_cell),
    .key_bytes = offsetof(struct cs_channel_cell, position), /* object, peer, tag, direction */
    .valid = offsetof(struct cs_channel_cell, direction),
    .valid_bytes = sizeof(uint32_t),
    .object = offsetof(struct cs_channel_cell, object),
};

/* True if cs_ring_count finds its cell there. */
static inline bool cs_ring_can_count(const struct cs_thread *thread, const struct cs_message_cells *cells)
{
    return cells && cells->channel && thread->ring.window == CS_EVENTS_RECORDED;
}

/* Finds the cell for messages that count in these cells, if there is one. */
void cs_ring_find_channel(struct cs_thread *thread, struct cs_message_cells *cells);

/* Counts the message of the next entry in its cell. */
static inline void cs_ring_count_in(const struct cs_ring *ring, struct cs_channel_cell *channel)
{
    cs_publish(channel->position, ((channel->position >> 32) + 1) << 32 | (uint32_t)ring->next);
}

/* Counts the message of the next entry, or one that has none. cells: of the message; NULL: not known. */
void cs_ring_count_otherwise(struct cs_thread *thread, struct cs_message_cells *cells, uint32_t object, int32_t peer,
                             int32_t tag, enum cs_direction direction);
static inline __attribute__((always_inline)) void cs_ring_count(struct cs_thread *thread,
                                                                struct cs_message_cells *cells, uint32_t object,
                                                                int32_t peer, int32_t tag, enum cs_direction direction)
{
    if (__builtin_expect(cs_ring_can_count(thread, cells), 1))
        cs_ring_count_in(&thread->ring, cells->channel);
    else
        cs_ring_count_otherwise(thread, cells, object, peer, tag, direction);
}

/* The parts of cs_ring_add below are for callers who have taken the ring, and have looked that the page has room. gap:
   ticks since the last call. */

/* The peer of a call as an entry has it. */
static inline int32_t cs_ring_peer(int32_t peer)
{
    return peer == CS_NO_PEER ? -CS_ENTRY_NO_PEER : peer;
}

/* True if the call fits into an entry that is not wide. */
static inline bool cs_ring_is_short(uint64_t gap, uint64_t spent, uint64_t bytes, int32_t peer)
{
    return !((gap | spent | bytes) >> 32) && (cs_ring_is_peer_short(peer) || peer == CS_NO_PEER);
}

/* Writes a call without message, peer and bytes. head: word 1. */
static inline __attribute__((always_inline)) void cs_ring_write_plain(struct cs_ring *ring, uint64_t head, uint64_t gap,
                                                                      uint64_t spent, uint64_t stop)
{
    struct cs_ring_cell *page = ring->page;
    const size_t used = page->used;
    page->words[used] = gap | spent << 32;
    page->words[used + 1] = head;
    ring->last_ticks = stop;
    cs_ring_commit(ring, used, 2);
}

/* Word 1 of such an entry. */
static inline uint64_t cs_ring_plain_head(uint32_t place)
{
    return cs_ring_head(place, CS_ENTRY_CALL, -CS_ENTRY_NO_PEER);
}

/* Writes any other call but a poll. value: its tag, or the number of a collective call. The caller counts its message.
 */
static inline __attribute__((always_inline)) void cs_ring_write_short(struct cs_ring *ring, uint32_t place,
                                                                      unsigned kind, int32_t peer, uint32_t value,
                                                                      uint64_t bytes, uint64_t start, uint64_t stop)
{
    struct cs_ring_cell *page = ring->page;
    const size_t used = page->used;
    page->words[used + 1] = cs_ring_head(place, kind, cs_ring_peer(peer));
    page->words[used + 2] = value | bytes << 32;
    page->words[used] = (start - ring->last_ticks) | (stop - start) << 32;
    ring->last_ticks = stop;
    cs_ring_commit(ring, used, 3);
}

/* Writes a call. */
void cs_ring_add(struct cs_thread *thread, const struct cs_ring_call *call);

/* Writes a message that the current call completed or sent besides its own, if it is not wide. */
static inline __attribute__((always_inline)) void
cs_ring_write_message(struct cs_thread *thread, struct cs_message_cells *cells, enum cs_direction direction,
                      uint32_t object, int32_t peer, int32_t tag, uint64_t bytes, uint64_t posted)
{
    struct cs_ring *ring = &thread->ring;
    struct cs_ring_cell *page = ring->page;
    const size_t used = page->used;
    page->words[used] = (uint32_t)tag | bytes << 32;
    page->words[used + 1] = cs_ring_head(object, CS_ENTRY_MESSAGE | (direction == CS_SEND ? CS_ENTRY_SENDS : 0u), peer);
    page->words[used + 2] = posted;
    cs_ring_count(thread, cells, object, peer, tag, direction);
    cs_ring_commit(ring, used, 3);
}

/* Writes such a message. posted: cs_ring_next when its receive was posted; 0: by this call. peer CS_NO_PEER: the
   receive was cancelled and took no message. */
void cs_ring_add_message_otherwise(struct cs_thread *thread, struct cs_message_cells *cells,
                                   enum cs_direction direction, uint32_t object, int32_t peer, int32_t tag,
                                   uint64_t bytes, uint64_t posted);
static inline __attribute__((always_inline)) void
cs_ring_add_message(struct cs_thread *thread, struct cs_message_cells *cells, enum cs_direction direction,
                    uint32_t object, int32_t peer, int32_t tag, uint64_t bytes, uint64_t posted)
{
    struct cs_ring *ring = &thread->ring;
    if (__builtin_expect(!ring->on || ring->window != CS_EVENTS_RECORDED || !cs_ring_has_room(ring) || bytes >> 32 ||
                             !cs_ring_is_peer_short(peer),
                         0)) {
        cs_ring_add_message_otherwise(thread, cells, direction, object, peer, tag, bytes, posted);
        return;
    }
    ring->on = false;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    cs_ring_write_message(thread, cells, direction, object, peer, tag, bytes, posted);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    ring->on = true;
}

/* Notes that the current call completes a request which received nothing, or takes a matched message. posted:
   cs_ring_next when it was posted, or matched. */
void cs_ring_add_note_otherwise(struct cs_thread *thread, uint64_t value, uint64_t head);
static inline __attribute__((always_inline)) void cs_ring_add_note(struct cs_thread *thread, uint64_t value,
                                                                   uint64_t head)
{
    struct cs_ring *ring = &thread->ring;
    struct cs_ring_cell *page = ring->page;
    const size_t used = page->used;
    if (__builtin_expect(!ring->on || ring->window != CS_EVENTS_RECORDED || !cs_ring_has_room(ring), 0)) {
        cs_ring_add_note_otherwise(thread, value, head);
        return;
    }
    ring->on = false;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    page->words[used] = value;
    page->words[used + 1] = head;
    cs_ring_commit(ring, used, 2);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    ring->on = true;
}
static inline void cs_ring_note_request(struct cs_thread *thread, uint64_t posted)
{
    cs_ring_add_note(thread, posted, cs_ring_head(0, CS_ENTRY_NOTE, 0));
}

/* Notes that the current call matches a message. */
static inline void cs_ring_note_match(struct cs_thread *thread)
{
    cs_ring_note_request(thread, cs_ring_next(thread) + 1);
}

/* Notes that the current call opens or closes the epoch of a window with a peer. epoch: its number, from 1; 0: the call
   takes an exclusive lock. */
void cs_ring_note_window(struct cs_thread *thread, uint32_t window, int32_t peer, uint32_t epoch);
