/* What tells of a hang, in the journal: how many collective calls were begun on each object, which requests are active,
 * which locks of windows are held. Blocks of cells as db/journal/format.h describes them. */
#pragma once

#include <assert.h>
#include <stdint.h>

/* The collective calls of this process on one communicator, window or file: blocking ones, starts of nonblocking ones,
   creations of objects on it, its free. All members make them in the same order, so that the n-th of each belong
   together. object 0: not valid. */
struct cs_collective_cell {
    uint32_t object; /* stored last */
    uint32_t begun;  /* calls; atomic */
    uint16_t function, reserved;
    int32_t root; /* of the last one begun; CS_PEER_*, CS_NO_PEER: it has none */
};
static_assert(sizeof(struct cs_collective_cell) == 16, "no padding");

#define CS_WAITS_RECEIVE    1u  /* the request receives */
#define CS_WAITS_PERSISTENT 2u  /* it stays when it completes */
#define CS_WAITS_ACTIVE     4u  /* it was started and is not complete */
#define CS_WAITS_INTERNAL   16u /* it was made inside the MPI library */
#define CS_WAITS_SEND       128u
#define CS_WAITS_SHARED     256u /* the handle was given out several times at once */

/* A request that is not complete, or persistent. references 0: not valid. */
struct cs_request_cell {
    uint64_t handle;
    uint64_t site; /* of the call that made it: return address, or a stack */
    uint64_t bytes;
    uint64_t next; /* private */
    uint32_t references;
    uint32_t object;            /* communicator, window or file */
    int32_t peer, tag;          /* as in struct cs_thread_state */
    uint32_t collective;        /* number of the collective call that made it; 0: none */
    uint16_t function, flags;   /* that made it; CS_WAITS_* */
    uint16_t partitions, ready; /* of one that sends in partitions: how many, and how many were marked as ready since it
                                   was started; else 0 */
    uint32_t reserved;
};
static_assert(sizeof(struct cs_request_cell) == 64, "one cache line");

enum { CS_REQUESTS_SHOWN = 32768 };

/* A lock of a window that this process has taken and not released. object 0: not valid. */
struct cs_lock_cell {
    uint32_t object; /* window; atomic, stored last */
    int32_t target;  /* rank; CS_PEER_ANY: all */
    uint32_t exclusive, reserved;
};
static_assert(sizeof(struct cs_lock_cell) == 16, "no padding");
