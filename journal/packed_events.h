/* Packed events: the entries of a ring in about half the size. CALLSIGN_EVENTS=all keeps them
 * (record/call/event_log.h).
 *
 * An entry has two bytes of lengths, and the bytes of its fields, lowest first:
 *
 *   bits     field    bytes for 0, 1, 2, 3   content
 *   0 - 2    -                               kind (enum cs_entry)
 *   3        -                               message: it was sent. note: about a window
 *   4 - 5    gap      1, 2, 3, 8             call: ticks from the end of the call before
 *   6 - 7    span     1, 2, 3, 8             call: ticks
 *   8 - 9    place    1, 2, 3, 4             place of the profile cell. message, note: object
 *   10 - 11  peer     0, 1, 2, 4             plus CS_PACKED_PEER; 0 bytes: none
 *   12 - 13  value    0, 1, 2, 4             tag; collective: number on the object. 0 bytes: none
 *   14 - 15  bytes    0, 1, 3, 8             bytes. polls: number of calls
 *
 * gap of a message or a request: number of entries since it was posted. By another thread: number of that entry, and
 * span is the number of the thread plus 1. 0: it was posted by the call that follows. gap of a window: number of the
 * epoch.
 *
 * Times are relative to the end of the call before; those of a page's first call to base_ticks. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "journal/format.h"
#include "journal/ring_reader.h"

enum {
    CS_PACKED_ENTRY_BYTES = 38, /* at most */
    CS_PACKED_PEER = 4,         /* makes special peers positive */
};

/* A page that is being filled. */
struct cs_packing {
    struct cs_packed_cell *page;
    uint32_t bytes, entries;
    uint64_t next;  /* number of the next entry */
    uint64_t ticks; /* end of the last call */
};

/* Adds an entry, the next one of the thread. Readers see it after cs_packing_publish. Returns false if the page is
   full. */
bool cs_packing_add(struct cs_packing *packing, const struct cs_ring_entry *entry);

/* Shows the added entries to readers. */
static inline void cs_packing_publish(const struct cs_packing *packing)
{
    __atomic_store_n(&packing->page->filled, (uint64_t)packing->entries << 32 | packing->bytes, __ATOMIC_RELEASE);
}

struct cs_packed_position {
    const struct cs_packed_cell *page;
    uint32_t at, end; /* bytes that were read, and all */
    uint64_t number;  /* of the next entry */
    uint64_t ticks;   /* end of the last call */
};

/* True if the page was not being replaced when it was read. */
static inline bool cs_packed_page_is_whole(const struct cs_packed_cell *page)
{
    return page->number && page->check == page->number;
}

/* Begins to read a page that is whole. */
struct cs_packed_position cs_packed_read(const struct cs_packed_cell *page);

/* Reads the next entry; false: there is none. *damaged is set if the page makes no sense from here on. */
bool cs_packed_read_entry(struct cs_packed_position *position, struct cs_ring_entry *entry, bool *damaged);
