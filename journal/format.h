/* The format of the journal, the file that a rank writes while it runs. The conversion makes a trace from it. gen/model
 * declares the structures; the build generates journal_layout.h from it.
 *
 * A file is one page with struct cs_journal_header, followed by blocks. Each block begins with struct cs_block; its
 * size is a multiple of CS_JOURNAL_PAGE, on kernels with larger pages, too. Blocks never move and are never freed. The
 * program writes through a shared mapping, so that the kernel keeps the data when the process dies. Therefore the
 * order of stores matters: content first, then the count that covers it (with release). A reader trusts only counted
 * content, and checks every length.
 *
 *   log block      `used` bytes of facts, one after the other: struct cs_fact, the rest of its fact structure, its
 *                  texts, each ended by NUL; padded to a multiple of 8. A reader skips unknown fact types.
 *   thread block   one struct cs_thread_state: the activity of the thread
 *   other blocks   cells, of which the first `used` are in use. A cell is valid if the field that gen/model names
 *                  after `valid:` is not 0.
 *
 * A `site` is a return address, or CS_SITE_STACK (the highest bit, which no address has) plus the number of a stack,
 * whose fact comes before.
 *
 * Several cells may have the same key, even in one thread: add them up. All integers are in the writer's byte order.
 * Times are ticks of the clock that the header describes. CS_JOURNAL_VERSION stands for the layout and changes with
 * it: gen/layout.py. */
#pragma once

#include <stdint.h>

#define CS_JOURNAL_MAGIC      "CSJOURN\n" /* 8 bytes, not ended by NUL */
#define CS_JOURNAL_BYTE_ORDER 0x01020304u
#define CS_JOURNAL_PAGE       4096u
#define CS_BLOCK_MAGIC        0x4b425343u /* "CSBK" */

#define CS_SITE_STACK ((uint64_t)1 << 63)

/* The last address of a stack whose outer frames are missing: the number 0, which no frame of Python has. */
#define CS_SITE_PARTIAL CS_SITE_STACK

/* Special peers and tags: each MPI has its own numbers for them. */
#define CS_PEER_ANY    CALLSIGN_PEER_ANY  /* MPI_ANY_SOURCE */
#define CS_PEER_NULL   CALLSIGN_PEER_NULL /* MPI_PROC_NULL */
#define CS_PEER_ROOT   CALLSIGN_PEER_ROOT /* MPI_ROOT */
#define CS_PEER_OTHERS (-4)               /* all peers on the object beyond the first CS_PEERS_KEPT of a thread */
#define CS_TAG_ANY     CALLSIGN_TAG_ANY   /* MPI_ANY_TAG */
#define CS_NO_PEER     CALLSIGN_NO_PEER
#define CS_NO_TAG      CALLSIGN_NO_TAG
#define CS_NO_BYTES    UINT64_MAX

/* Limits. */
enum {
    CS_STACK_DEPTH = 64,          /* addresses of a call stack */
    CS_STACKS_MOST = 65536,       /* stacks of a process; later ones have their innermost frame only */
    CS_AWAITED_KEPT = 256,        /* handles of requests that a thread waits for */
    CS_PEERS_KEPT = 4096,         /* peers of a thread on a communicator with their own cells */
    CS_TAGS_KEPT = 512,           /* tags of a thread at one call site on one communicator with their own cells */
    CS_MOVES_KEPT = 64,           /* first moves of a thread, and as many last ones */
    CS_ANSWER_BYTES = 256,        /* bytes of a processor's name */
    CS_REQUESTS_SHOWN = 32768,    /* requests with a cell */
    CS_COLLECTIVE_GROUP = 8,      /* consecutive collective calls in a cell */
    CS_RING_WORDS = 499,          /* words of entries in a page of events */
    CS_PACKED_WORDS = 498,        /* words of entries in a page of packed events */
    CS_COURSE_THREAD = 160,       /* instants of the run at which a thread's MPI time is kept */
    CS_COURSE_REGION = 76,        /* the same for a region */
    CS_COURSE_STRETCH = 24,       /* the same for the code between two calls */
    CS_SYNCHRONIZATION_LAST = 16, /* last calls of synchronizing collectives on a communicator */
};

/* Parts of entries of events; record/call/ring.h has their form. */
enum {
    CS_ENTRY_KIND = 7,           /* bits of enum cs_entry */
    CS_ENTRY_WIDE = 8,           /* further words follow */
    CS_ENTRY_SENDS = 16,         /* the message was sent; else it was received */
    CS_ENTRY_WINDOW = 16,        /* the note is about a window; else about a request */
    CS_ENTRY_WORDS = 5,          /* words of an entry, at most */
    CS_ENTRY_SPAN_BITS = 40,     /* of polls */
    CS_ENTRY_NO_PEER = 0x800000, /* minus this: no peer */
    CS_ENTRY_NTH_BITS = 10,      /* of what was posted: place among the requests that its call started */
    CS_ENTRY_NUMBER_BITS = 38,   /* below it: number of the entry */
};

#include "journal_layout.h"
