/* The recorded events of a process, one after the other, from the rings of its threads and from packed pages. They are
 * read page by page: a table of pages is all that stays in memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "journal/packed_events.h"
#include "journal/reader.h"
#include "journal/ring_reader.h"

/* The events of a thread, whose numbers have no gap. */
struct cs_event_thread {
    uint32_t thread;
    size_t page, pages;   /* in the table of pages */
    uint64_t first, last; /* numbers of entries */
};

struct cs_event_page;

struct cs_event_pages {
    const struct cs_journal_reader *reader;
    struct cs_event_page *page;
    size_t pages, pages_room;
    struct cs_event_thread *thread; /* in order of their numbers */
    size_t threads, threads_room;
    bool damaged;
};

/* Finds all pages of a journal. Entries before a gap in their thread's numbers are left out. rings: leaves packed pages
   out, too. The structure must be zeroed; free it even after a failure. */
enum cs_status cs_event_pages_find(struct cs_event_pages *pages, struct cs_journal_reader *reader, bool rings);

void cs_event_pages_free(struct cs_event_pages *pages);

/* The entries of a thread; NULL: it has none. */
const struct cs_event_thread *cs_event_pages_thread(const struct cs_event_pages *pages, uint32_t thread);

/* True if this entry of a thread is there. */
bool cs_event_pages_have(const struct cs_event_pages *pages, uint32_t thread, uint64_t number);

/* Reads all entries, thread by thread, in the order of their numbers. */
struct cs_event_walk;

/* Begins before the first entry. NULL: no memory. */
struct cs_event_walk *cs_event_walk_begin(struct cs_event_pages *pages);

/* Reads the next entry of the current thread, or the first one of the next thread; false: there is none. */
bool cs_event_walk_next(struct cs_event_walk *walk, uint32_t *thread, struct cs_ring_entry *entry);

/* NULL is allowed. */
void cs_event_walk_end(struct cs_event_walk *walk);
