/* Envelopes in the journal: who sent how much to whom, with which tags. Blocks of cells as db/journal/format.h
 * describes them; a cell is valid once its direction is not 0. Sums are modulo 2^64: one thread may take back what
 * another one counted, as when it completes a send that was cancelled. */
#pragma once

#include <assert.h>
#include <stdint.h>

/* What the process did; the other one is its peer. */
enum cs_direction {
    CS_SEND = 1, /* messages */
    CS_RECEIVE,
    CS_PUT, /* one-sided: data went to the target */
    CS_GET, /* and came from it */
    /* How many messages this process does not know the end of. `bytes` and `ticks` are not used. */
    CS_RECEIVE_UNTOLD, /* no status told what came: the request was freed before. Peer: the source, or CS_PEER_ANY */
    CS_SEND_UNTOLD     /* the send was cancelled and its request freed */
};

#define CS_PEER_OTHERS (-4) /* all peers on the object beyond the first CS_PEERS_KEPT of a thread; see CS_PEER_NULL */

enum { CS_PEERS_KEPT = 4096, CS_TAGS_KEPT = 512 };

/* All messages in one direction between this process and one peer. */
struct cs_traffic_cell {
    uint32_t object;        /* communicator, or window */
    int32_t peer;           /* rank in that communicator, in the remote group of an intercommunicator; CS_PEER_* */
    uint32_t direction : 3; /* enum cs_direction */
    int32_t world : 29;     /* rank of the peer in MPI_COMM_WORLD; -1: it has none there, or it is not known */
    int32_t messages;       /* negative if more were taken back than sent. A thread begins another cell at INT32_MAX */
    uint64_t bytes;         /* modulo 2^64 */
    uint64_t ticks;         /* in the calls that sent and received them */
};
static_assert(sizeof(struct cs_traffic_cell) == 32, "half a cache line");

/* All messages in one direction with one tag, from one call site. */
struct cs_tag_cell {
    uint64_t site;      /* of the call that sent it, or that received it or was to */
    uint32_t object;    /* communicator */
    int32_t tag;        /* with a range, its first tag */
    uint16_t direction; /* enum cs_direction */
    uint16_t range;     /* 0: this tag alone; n: beyond the first CS_TAGS_KEPT of the site on the communicator, in one
                           thread: all whose size class is n - 1, see cs_size_class */
    int32_t largest;    /* with a range, the largest tag of it that was used */
    uint64_t messages;  /* modulo 2^64 */
};
static_assert(sizeof(struct cs_tag_cell) == 32, "no padding");
