/* Requests and matched messages: what is known of each handle from the call that made it until it completes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "record/profile.h"

enum cs_request_flag {
    CS_REQUEST_RECEIVES = 1,   /* its status has the number of bytes that came */
    CS_REQUEST_PERSISTENT = 2, /* stays when it completes */
    CS_REQUEST_ACTIVE = 4,     /* started and not completed */
    CS_REQUEST_CANCELLED = 8,  /* MPI_Cancel was called: it may complete without having received */
    CS_REQUEST_INTERNAL = 16,  /* made inside the MPI library, not by the program */
    CS_REQUEST_MIXED = 32,     /* given out several times at once, at different call sites or on different objects */
    CS_REQUEST_COUNTED = 64,   /* MPI_Request_get_status has shown its status, and its bytes are counted */
};

struct cs_request {
    uint64_t handle; /* of C, or another unique key */
    struct cs_profile_key
        started; /* the cell of the call that began the transfer; .communicator also owns the waiting time */
    uint64_t sent_bytes, received_bytes; /* persistent: counted at each start */
    uint32_t made;                       /* object that becomes usable with completion; 0: none */
    uint32_t references;                 /* one handle may be given out several times (transfers to MPI_PROC_NULL) */
    uint32_t flags;                      /* enum cs_request_flag */
    int32_t peer, tag;                   /* as in struct cs_thread_state */
    uint64_t bytes;                      /* that are sent, or that there is room for */
};

static inline bool cs_request_is_active(const struct cs_request *request)
{
    return request->references && (request->flags & CS_REQUEST_ACTIVE);
}

/* Whether the bytes in its status are still to be counted. */
static inline bool cs_request_needs_status(const struct cs_request *request)
{
    return cs_request_is_active(request) &&
           (request->flags & (CS_REQUEST_RECEIVES | CS_REQUEST_COUNTED)) == CS_REQUEST_RECEIVES;
}

struct cs_request_table;
extern struct cs_request_table cs_requests, cs_messages;

/* Adds; a handle that is there already gets one more reference and the new content. */
void cs_request_put(struct cs_request_table *table, const struct cs_request *request);

/* Copies what is known of a handle; false: nothing. */
bool cs_request_get(struct cs_request_table *table, uint64_t handle, struct cs_request *request);

/* One reference less; the last one removes it. */
void cs_request_drop(struct cs_request_table *table, uint64_t handle);

/* A persistent request begins or ends a transfer. started NULL: it ended. */
void cs_request_activate(struct cs_request_table *table, uint64_t handle, const struct cs_profile_key *started);

/* Sets CS_REQUEST_CANCELLED or CS_REQUEST_COUNTED, until the transfer ends. */
void cs_request_mark(struct cs_request_table *table, uint64_t handle, enum cs_request_flag flag);

/* Shows all entries of a table to `visit`, which must not use the table. */
void cs_request_each(struct cs_request_table *table, void (*visit)(const struct cs_request *request, void *context),
                     void *context);

/* Shows all active requests whose communicator, window or file is this object to `visit`, likewise. Takes no time where
   none is pending, and else none for room that many requests once needed: the table gives that back. */
void cs_request_each_on(struct cs_request_table *table, uint32_t object,
                        void (*visit)(const struct cs_request *request, void *context), void *context);

/* In a forked child. */
void cs_request_forget(void);
