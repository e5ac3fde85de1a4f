/* Reads the entries of a page of events; record/call/ring.h has their form. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "journal/format.h"

struct cs_ring_entry {
    uint64_t number; /* among the entries of the thread, from 1 */
    enum cs_entry kind;
    uint64_t start, stop; /* ticks; polls: begin of the first call, end of the last one. Only of calls */
    uint64_t inside;      /* ticks in these calls together: less than between both if there are several */
    uint64_t bytes;
    uint32_t place;      /* of the profile cell; 0: unknown, or no call */
    uint32_t object;     /* messages: communicator. notes: window; 0: of a request */
    uint32_t collective; /* number on the object; 0: none */
    uint32_t calls;
    int32_t peer, tag; /* CS_NO_PEER, CS_NO_TAG: none */
    bool sends;        /* messages: sent; else received */
    uint64_t posted;   /* messages, requests: number of the entry that posted it; 0: the next call */
    uint32_t posted_thread;
    uint32_t posted_nth; /* MPI_Startall: place of the request among those that it started, as far as it is kept */
    uint32_t epoch;      /* notes: number of the epoch; 0: an exclusive lock, or a request */
};

/* Other entries belong to the next call of the thread. */
static inline bool cs_ring_is_call(const struct cs_ring_entry *entry)
{
    return entry->kind < CS_ENTRY_MESSAGE;
}

struct cs_ring_position {
    const struct cs_ring_cell *page;
    uint32_t at;     /* words that were read */
    uint64_t number; /* of the next entry */
    uint64_t ticks;  /* end of the last call */
};

/* True if the page was not being replaced when it was read. */
static inline bool cs_ring_page_is_whole(const struct cs_ring_cell *page)
{
    return page->number && page->check == page->number;
}

/* Begins to read a page that is whole. */
struct cs_ring_position cs_ring_read(const struct cs_ring_cell *page);

/* Reads the next entry; false: there is none. *damaged is set if the page makes no sense from here on. */
bool cs_ring_read_entry(struct cs_ring_position *position, struct cs_ring_entry *entry, bool *damaged);
