/* All events of a rank (CALLSIGN_EVENTS=all). When the ring of a thread begins a page, the one before is packed into
 * pages in a chunk of the journal (cell packed of gen/model). A call pays nothing else; the ring has the calls since. A
 * thread has one chunk in memory. If the chunks reach CALLSIGN_EVENT_LIMIT, or the file cannot grow, the thread takes
 * the chunk that was full first, and replaces its pages in turn. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "record/process/thread.h"

/* Reads the settings. */
void cs_event_log_start(void);

/* True if all events are kept. */
extern bool cs_event_log_on __attribute__((visibility("hidden")));

/* Packs the full pages of the thread's ring. */
void cs_event_log_pack(struct cs_thread *thread);

/* The thread before may have been cancelled while it packed. */
void cs_event_log_begin(struct cs_ring *ring);

/* The size of all chunks. */
uint64_t cs_event_log_bytes(void);
