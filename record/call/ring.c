#include "record/call/ring.h"

#include <pthread.h>

#include "base/settings.h"
#include "journal/writer.h"
#include "record/call/event_log.h"
#include "record/process/recorder.h"

static_assert(offsetof(struct cs_ring_cell, check) ==
                  offsetof(struct cs_ring_cell, words) + CS_RING_WORDS * sizeof(uint64_t),
              "the check comes last");

/* ---- rings ---- */

enum { LEAST_PAGES = 2, CHANNELS_MOST = 4096 };

/* Before the first page, which the first entry takes; and without a ring, where there is always room. Nobody writes
   there. */
static const struct cs_ring_cell full_page = {.used = CS_RING_WORDS}, no_page;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t room; /* bytes for further rings */
static bool first = true;

void cs_ring_start(void)
{
    cs_event_log_start();
    cs_event_window_start();
    room = cs_setting_bytes(CS_SETTING_RING);
}

/* The first thread gets half of the room. Programs may have many further ones: each gets an eighth of the rest. If all
   events are kept, each thread needs a ring. */
static uint64_t take_room(void)
{
    const uint64_t wanted = sizeof(struct cs_block) + LEAST_PAGES * sizeof(struct cs_ring_cell);
    const uint64_t least = (wanted + CS_JOURNAL_PAGE - 1) / CS_JOURNAL_PAGE * CS_JOURNAL_PAGE;
    pthread_mutex_lock(&lock);
    uint64_t bytes = (first ? room / 2 : room / 8) / CS_JOURNAL_PAGE * CS_JOURNAL_PAGE;
    if (bytes < least)
        bytes = least;
    if (bytes > room)
        bytes = cs_event_log_on ? least : 0;
    room -= bytes < room ? bytes : room;
    first = false;
    pthread_mutex_unlock(&lock);
    return bytes;
}

static bool make(struct cs_thread *thread)
{
    struct cs_ring *ring = &thread->ring;
    uint64_t bytes = take_room();
    if (!bytes || cs_journal_add_block(cs_recorder.journal, CS_BLOCK_RING, thread->number, sizeof(struct cs_ring_cell),
                                       bytes, &ring->block) != CS_OK)
        return false;
    ring->pages = (uint32_t)((bytes - sizeof *ring->block) / sizeof(struct cs_ring_cell));
    /* One number is left out for what happens before events are recorded. */
    ring->next = cs_event_window_is_set() ? 2 : 1;
    return true;
}

/* The thread before may have been cancelled while it wrote: begins a new page. */
void cs_ring_begin(struct cs_thread *thread)
{
    struct cs_ring *ring = &thread->ring;
    if (!ring->block && !ring->refused)
        ring->refused = !make(thread);
    cs_event_log_begin(ring);
    ring->page = (struct cs_ring_cell *)(uintptr_t)(ring->refused ? &no_page : &full_page);
    ring->polls_end = 0;
    if (ring->window == CS_EVENTS_RECORDED)
        ring->window = cs_event_window_look(cs_clock_ticks(), &ring->limit);
    ring->on = !ring->refused;
}

/* Takes the next page. The check is cleared before any other word changes, and a reader reads it last: it accepts a
   page only if the check equals the number. */
static __attribute__((noinline)) void turn(struct cs_thread *thread, uint64_t ticks)
{
    struct cs_ring *ring = &thread->ring;
    if (cs_event_log_on)
        cs_event_log_pack(thread);
    uint64_t turned = ring->turned++;
    struct cs_ring_cell *page = (struct cs_ring_cell *)(ring->block + 1) + turned % ring->pages;
    cs_hide_page(&page->check, &page->number);
    cs_publish(page->used, 0);
    page->base_ticks = ticks;
    page->first = ring->next;
    page->thread = thread->number;
    cs_publish(page->check, turned + 1);
    cs_publish(page->number, turned + 1);
    if (turned < ring->pages)
        cs_publish(ring->block->used, turned + 1);
    ring->page = page;
    ring->last_ticks = ticks;
    ring->polls_end = 0;
}

/* Counts the message of a call. */
static void count_message(struct cs_thread *thread, const struct cs_ring_call *call)
{
    if (call->kind == CS_ENTRY_SENT || call->kind == CS_ENTRY_RECEIVED)
        cs_ring_count(thread, NULL, call->object, call->peer, call->tag,
                      call->kind == CS_ENTRY_SENT ? CS_SEND : CS_RECEIVE);
}

/* Returns true if the call is recorded. What is found now applies to the next call, so that the parts of a call agree.
 */
static bool look(struct cs_thread *thread, const struct cs_ring_call *call)
{
    struct cs_ring *ring = &thread->ring;
    bool recorded = ring->window == CS_EVENTS_RECORDED;
    if (!recorded)
        count_message(thread, call);
    ring->window = (uint8_t)cs_event_window_look(call->stop, &ring->limit);
    return recorded;
}

/* Rare: a call after a second without calls, or of more than a second, or with 4 GiB. */
static void add_wide(struct cs_thread *thread, const struct cs_ring_call *call)
{
    struct cs_ring *ring = &thread->ring;
    const size_t used = ring->page->used;
    uint64_t gap = call->start - ring->last_ticks, spent = call->stop - call->start, *at = ring->page->words + used;
    at[0] = (uint32_t)gap | spent << 32;
    at[1] = cs_ring_head(call->place, call->kind | CS_ENTRY_WIDE, 0);
    at[2] = (call->kind == CS_ENTRY_COLLECTIVE ? call->collective : (uint32_t)call->tag) | call->bytes << 32;
    at[3] = gap >> 32 | spent >> 32 << 32;
    at[4] = (uint32_t)call->peer | call->bytes >> 32 << 32;
    if (call->kind == CS_ENTRY_POLLS)
        at[2] = (uint64_t)1 << CS_ENTRY_SPAN_BITS; /* a poll stays alone */
    ring->last_ticks = call->stop;
    cs_ring_commit(ring, used, CS_ENTRY_WORDS);
}

/* Adds the call to the last entry. A reader between the two stores finds the time of one more call. */
static bool add_poll(struct cs_ring *ring, const struct cs_ring_call *call)
{
    uint64_t *at = ring->page->words + ring->page->used;
    if (!call->place || call->place != ring->polls_place || ring->page->used != ring->polls_end) {
        ring->polls_since = call->start;
        return false;
    }
    uint64_t calls = (at[-1] >> CS_ENTRY_SPAN_BITS) + 1, span = call->stop - ring->polls_since;
    uint64_t inside = (at[-3] >> 32) + (call->stop - call->start);
    if (span >> CS_ENTRY_SPAN_BITS || calls >> (64 - CS_ENTRY_SPAN_BITS) || inside >> 32) {
        ring->polls_since = call->start;
        return false;
    }
    cs_publish(at[-3], (uint32_t)at[-3] | inside << 32);
    cs_publish(at[-1], span | calls << CS_ENTRY_SPAN_BITS);
    ring->last_ticks = call->stop;
    return true;
}

static void write_poll(struct cs_ring *ring, const struct cs_ring_call *call, uint64_t gap, uint64_t spent)
{
    const size_t used = ring->page->used;
    uint64_t *at = ring->page->words + used;
    at[0] = gap | spent << 32;
    at[1] = cs_ring_head(call->place, CS_ENTRY_POLLS, cs_ring_peer(call->peer));
    at[2] = spent | (uint64_t)1 << CS_ENTRY_SPAN_BITS;
    ring->polls_place = call->place;
    ring->polls_end = (uint32_t)used + 3;
    ring->last_ticks = call->stop;
    cs_ring_commit(ring, used, 3);
}

/* The call is no poll that joins the last entry. */
static void add_entry(struct cs_thread *thread, const struct cs_ring_call *call)
{
    struct cs_ring *ring = &thread->ring;
    if (!cs_ring_has_room(ring))
        turn(thread, call->start);
    count_message(thread, call);
    uint64_t gap = call->start - ring->last_ticks, spent = call->stop - call->start;
    if (!cs_ring_is_short(gap, spent, call->bytes, call->peer))
        add_wide(thread, call);
    else if (call->kind == CS_ENTRY_POLLS)
        write_poll(ring, call, gap, spent);
    else if (call->kind == CS_ENTRY_CALL)
        cs_ring_write_plain(ring, cs_ring_plain_head(call->place), gap, spent, call->stop);
    else
        cs_ring_write_short(ring, call->place, call->kind, call->peer,
                            call->kind == CS_ENTRY_COLLECTIVE ? call->collective : (uint32_t)call->tag, call->bytes,
                            call->start, call->stop);
}

void cs_ring_add(struct cs_thread *thread, const struct cs_ring_call *call)
{
    struct cs_ring *ring = &thread->ring;
    if (!ring->on)
        return;
    ring->on = false;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if ((call->stop < ring->limit || look(thread, call)) && (call->kind != CS_ENTRY_POLLS || !add_poll(ring, call)))
        add_entry(thread, call);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    ring->on = true;
}

/* ---- messages ---- */

void cs_ring_find_channel(struct cs_thread *thread, struct cs_message_cells *cells)
{
    const uint64_t key[] = {cells->whom, cells->what};
    cells->channel = cs_cells_find(&thread->channels, key, &cs_channel_cells);
}

void cs_ring_count_otherwise(struct cs_thread *thread, struct cs_message_cells *cells, uint32_t object, int32_t peer,
                             int32_t tag, enum cs_direction direction)
{
    if (!object || peer < 0 || tag < 0)
        return;
    const uint64_t key[] = {object | (uint64_t)(uint32_t)peer << 32, (uint32_t)tag | (uint64_t)direction << 32};
    struct cs_channel_cell *cell = cs_cells_find_recent(&thread->channels, key, &cs_channel_cells);
    if (!cell)
        cell = cs_cells_find_older(&thread->channels, key, &cs_channel_cells);
    if (cells)
        cells->channel = cell;
    bool after = thread->ring.window == CS_EVENTS_AFTER;
    uint64_t entry = thread->ring.window == CS_EVENTS_BEFORE ? 0 : (uint32_t)thread->ring.next;
    if (cell && !after) {
        cs_publish(cell->position, ((cell->position >> 32) + 1) << 32 | entry);
    } else if (cell) {
        cs_publish(cell->after, cell->after + 1);
    } else if (thread->channels.count < CHANNELS_MOST) {
        const struct cs_channel_cell new = {.object = object,
                                            .peer = peer,
                                            .tag = tag,
                                            .direction = direction,
                                            .position = after ? 0 : (uint64_t)1 << 32 | entry,
                                            .after = after};
        cs_cells_add(&thread->channels, thread->number, &new, &cs_channel_cells);
    }
}

static void add_wide_message(struct cs_thread *thread, struct cs_message_cells *cells, enum cs_direction direction,
                             uint32_t object, int32_t peer, int32_t tag, uint64_t bytes, uint64_t posted)
{
    const size_t used = thread->ring.page->used;
    uint64_t *at = thread->ring.page->words + used;
    const unsigned kind = CS_ENTRY_MESSAGE | CS_ENTRY_WIDE | (direction == CS_SEND ? CS_ENTRY_SENDS : 0u);
    at[0] = (uint32_t)tag | bytes << 32;
    at[1] = cs_ring_head(object, kind, peer);
    at[2] = posted;
    at[3] = (uint32_t)peer | bytes >> 32 << 32;
    cs_ring_count(thread, cells, object, peer, tag, direction);
    cs_ring_commit(&thread->ring, used, 4);
}

void cs_ring_add_message_otherwise(struct cs_thread *thread, struct cs_message_cells *cells,
                                   enum cs_direction direction, uint32_t object, int32_t peer, int32_t tag,
                                   uint64_t bytes, uint64_t posted)
{
    struct cs_ring *ring = &thread->ring;
    if (!ring->on)
        return;
    ring->on = false;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    const bool recorded = ring->window == CS_EVENTS_RECORDED;
    if (recorded && !cs_ring_has_room(ring))
        turn(thread, ring->last_ticks);
    if (!recorded)
        cs_ring_count(thread, cells, object, peer, tag, direction);
    else if (bytes >> 32 || !cs_ring_is_peer_short(peer))
        add_wide_message(thread, cells, direction, object, peer, tag, bytes, posted);
    else
        cs_ring_write_message(thread, cells, direction, object, peer, tag, bytes, posted);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    ring->on = true;
}

/* ---- notes ---- */

/* The page may be full. */
void cs_ring_add_note_otherwise(struct cs_thread *thread, uint64_t value, uint64_t head)
{
    struct cs_ring *ring = &thread->ring;
    if (!ring->on || ring->window != CS_EVENTS_RECORDED)
        return;
    ring->on = false;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    turn(thread, ring->last_ticks);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    ring->on = true;
    cs_ring_add_note(thread, value, head);
}

void cs_ring_note_window(struct cs_thread *thread, uint32_t window, int32_t peer, uint32_t epoch)
{
    if (window && cs_ring_is_peer_short(peer))
        cs_ring_add_note(thread, epoch, cs_ring_head(window, CS_ENTRY_NOTE | CS_ENTRY_WINDOW, peer));
}
