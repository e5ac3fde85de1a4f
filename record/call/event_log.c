#include "record/call/event_log.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/settings.h"
#include "journal/packed_events.h"
#include "journal/ring_reader.h"
#include "journal/writer.h"
#include "record/process/cells.h"
#include "record/process/recorder.h"

/* A chunk of 64 pages has the room of about 25,000 events. */
enum { CHUNK_BYTES = 256 << 10, CHUNK_PAGES = (CHUNK_BYTES - sizeof(struct cs_block)) / sizeof(struct cs_packed_cell) };

/* More would make the queue of chunks large. */
#define LIMIT_MOST ((uint64_t)1 << 40)

bool cs_event_log_on;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t *full; /* offsets of full chunks in the file: a queue, of which the oldest is full[first] */
static uint64_t first, fulls, chunks, most;

void cs_event_log_start(void)
{
    if (!cs_setting_is(CS_SETTING_EVENTS, "all"))
        return;
    uint64_t limit = cs_setting_bytes(CS_SETTING_EVENT_LIMIT);
    most = (limit < LIMIT_MOST ? limit : LIMIT_MOST) / CHUNK_BYTES;
    most = most ? most : 1;
    full = calloc(most, sizeof *full);
    cs_event_log_on = full != NULL;
}

uint64_t cs_event_log_bytes(void)
{
    pthread_mutex_lock(&lock);
    uint64_t bytes = chunks * CHUNK_BYTES;
    pthread_mutex_unlock(&lock);
    return bytes;
}

void cs_event_log_begin(struct cs_ring *ring)
{
    struct cs_packing *packing = &ring->packing;
    if (packing->page)
        packing->next = packing->page->first + (packing->page->filled >> 32);
    packing->page = NULL;
}

/* ---- chunks ---- */

/* The caller holds the lock. */
static struct cs_block *take_new(struct cs_thread *thread)
{
    struct cs_block *chunk = NULL;
    if (chunks < most &&
        cs_journal_add_block_at(cs_recorder.journal, CS_BLOCK_PACKED, thread->number, sizeof(struct cs_packed_cell),
                                CHUNK_BYTES, &chunk, &thread->ring.chunk_offset) == CS_OK)
        chunks++;
    return chunk;
}

static struct cs_block *take_oldest(struct cs_thread *thread)
{
    if (!fulls)
        return NULL;
    struct cs_block *chunk = cs_journal_map_again(cs_recorder.journal, full[first], CHUNK_BYTES);
    if (!chunk)
        return NULL;
    thread->ring.chunk_offset = full[first];
    first = (first + 1) % most;
    fulls--;
    return chunk;
}

/* Without a chunk, the pages stay in the ring until it replaces them. */
static bool take_chunk(struct cs_thread *thread)
{
    struct cs_ring *ring = &thread->ring;
    if (!cs_journal_is_in_file(cs_recorder.journal))
        return false;
    pthread_mutex_lock(&lock);
    if (ring->chunk) {
        cs_journal_unmap(ring->chunk);
        ring->chunk = NULL;
        full[(first + fulls++) % most] = ring->chunk_offset;
    }
    ring->chunk = take_new(thread);
    if (!ring->chunk)
        ring->chunk = take_oldest(thread);
    pthread_mutex_unlock(&lock);
    ring->chunk_pages = 0;
    return ring->chunk != NULL;
}

/* ---- pages ---- */

/* Begins a page with this entry. */
static bool begin_page(struct cs_thread *thread, uint64_t number, uint64_t ticks)
{
    struct cs_ring *ring = &thread->ring;
    if ((!ring->chunk || ring->chunk_pages == CHUNK_PAGES) && !take_chunk(thread))
        return false;
    struct cs_packed_cell *page = (struct cs_packed_cell *)(ring->chunk + 1) + ring->chunk_pages++;
    cs_hide_page(&page->check, &page->number);
    cs_publish(page->filled, 0);
    page->base_ticks = ticks;
    page->first = number;
    page->thread = thread->number;
    ring->packed_pages++;
    cs_publish(page->check, ring->packed_pages);
    cs_publish(page->number, ring->packed_pages);
    if (ring->chunk_pages > ring->chunk->used)
        cs_publish(ring->chunk->used, ring->chunk_pages);
    ring->packing = (struct cs_packing){.page = page, .next = number, .ticks = ticks};
    return true;
}

static bool pack_page(struct cs_thread *thread, const struct cs_ring_cell *page)
{
    struct cs_packing *packing = &thread->ring.packing;
    struct cs_ring_position position = cs_ring_read(page);
    struct cs_ring_entry entry;
    bool damaged = false;
    for (uint64_t ticks = position.ticks; cs_ring_read_entry(&position, &entry, &damaged); ticks = position.ticks) {
        if (entry.number < packing->next)
            continue;
        bool follows = packing->page && entry.number == packing->next;
        if (follows && cs_packing_add(packing, &entry))
            continue;
        if (packing->page)
            cs_packing_publish(packing);
        if (!begin_page(thread, entry.number, ticks))
            return false;
        cs_packing_add(packing, &entry);
    }
    if (packing->page)
        cs_packing_publish(packing);
    return true;
}

void cs_event_log_pack(struct cs_thread *thread)
{
    struct cs_ring *ring = &thread->ring;
    const struct cs_ring_cell *pages = (const struct cs_ring_cell *)(ring->block + 1);
    if (ring->packed + ring->pages < ring->turned)
        ring->packed = ring->turned - ring->pages; /* there was no room for those before */
    for (; ring->packed < ring->turned; ring->packed++)
        if (!pack_page(thread, &pages[ring->packed % ring->pages]))
            return;
}
