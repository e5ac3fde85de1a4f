/* The journal's format: the file that a rank writes while it runs. The seal turns it into a trace. The structures are
 * declared in gen/model; the build writes journal_layout.h from it.
 *
 * A file is one page of struct cs_journal_header and then blocks, back to back, each a multiple of CS_JOURNAL_PAGE long
 * and begun by struct cs_block. Blocks never move and are never freed. The program writes through a shared mapping, so
 * that the kernel keeps what was written when the process dies. Therefore the order of stores matters: content first,
 * then the count that covers it (with release). A reader believes only what the counts cover, and checks every length.
 *
 *   log block      `used` bytes of facts, one after the other: struct cs_fact, the rest of its fact structure, its
 *                  texts, each ended by NUL; padded to a multiple of 8. A reader skips unknown fact types.
 *   thread block   one struct cs_thread_state: what the thread is doing
 *   other blocks   cells, of which the first `used` are handed out. A cell is valid when the field is not 0 that
 *                  gen/model names after `valid:`.
 *
 * A `site` is a return address or, when its highest bit is set (no address has it), CS_SITE_STACK plus the number of a
 * stack, whose fact comes before.
 *
 * Several cells may have the same key, also of one thread: add them up. All integers are in the writer's byte order.
 * Times are ticks of the clock that the header describes. To change the layout, raise CS_JOURNAL_VERSION. */
#pragma once

#include <stdint.h>

#define CS_JOURNAL_MAGIC      "CSJOURN\n" /* 8 bytes, not ended by NUL */
#define CS_JOURNAL_VERSION    1u
#define CS_JOURNAL_BYTE_ORDER 0x01020304u
#define CS_JOURNAL_PAGE       4096u
#define CS_BLOCK_MAGIC        0x4b425343u /* "CSBK" */

#define CS_SITE_STACK ((uint64_t)1 << 63)

/* Peers and tags that are no numbers of ranks and messages: each MPI has its own numbers for them. */
#define CS_PEER_ANY    CALLSIGN_PEER_ANY  /* MPI_ANY_SOURCE */
#define CS_PEER_NULL   CALLSIGN_PEER_NULL /* MPI_PROC_NULL */
#define CS_PEER_ROOT   CALLSIGN_PEER_ROOT /* MPI_ROOT */
#define CS_PEER_OTHERS (-4)               /* all peers on the object beyond the first CS_PEERS_KEPT of a thread */
#define CS_TAG_ANY     CALLSIGN_TAG_ANY   /* MPI_ANY_TAG */
#define CS_NO_PEER     CALLSIGN_NO_PEER
#define CS_NO_TAG      CALLSIGN_NO_TAG
#define CS_NO_BYTES    UINT64_MAX

/* How much is kept. */
enum {
    CS_STACK_DEPTH = 64,          /* addresses of a call stack */
    CS_AWAITED_KEPT = 256,        /* handles of requests that a thread waits for */
    CS_PEERS_KEPT = 4096,         /* peers of a thread on a communicator that have a cell of their own */
    CS_TAGS_KEPT = 512,           /* tags of a thread at a call site on a communicator, likewise */
    CS_MOVES_KEPT = 64,           /* moves of a thread: the first ones, and as many of the last ones */
    CS_ANSWER_BYTES = 256,        /* of a processor's name */
    CS_REQUESTS_SHOWN = 32768,    /* requests that have a cell */
    CS_SYNCHRONIZATION_LAST = 16, /* calls of synchronizing collectives on a communicator: the last ones */
};

#include "journal_layout.h"
