/* Requests and matched messages: what is known of a handle from its creation until it completes. */
#pragma once

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/guard.h"
#include "base/hash.h"
#include "journal/format.h"
#include "record/call/profile.h"
#include "record/process/cells.h"
#include "record/process/recorder.h"

/* Flags that a persistent request loses when a transfer ends. */
#define CS_REQUEST_OF_TRANSFER (uint32_t)(CS_REQUEST_ACTIVE | CS_REQUEST_CANCELLED | CS_REQUEST_COUNTED)

struct cs_request {
    uint64_t handle;               /* handle in C, or another unique key */
    struct cs_profile_key started; /* cell of the call that began the transfer; its object also gets the waiting time */
    uint64_t sent_bytes;           /* bytes of a send; for other persistent requests: counted at each start */
    uint64_t received_bytes;       /* persistent: likewise */
    uint32_t made;                 /* object that becomes usable at completion; 0: none */
    uint32_t references;           /* number of requests with this handle (transfers with MPI_PROC_NULL share one) */
    uint32_t flags;                /* enum cs_request_flag */
    int32_t peer, tag;             /* as in struct cs_thread_state */
    uint16_t shown;                /* number of its cell in the journal; 0: none */
    uint16_t operation;            /* whose buffers wrappers/check/pending.c keeps; 0: none */
    uint64_t bytes;                /* size of the message or the receive buffer */
    uint64_t event;                /* cs_ring_next of the call that began the transfer */
    uint64_t signature;            /* CS_TYPE_* of the datatype, of what is received if it also sends */
    uint64_t type_bytes;           /* size of the datatype */
    uint32_t type;                 /* id of the datatype; 0: unknown */
    int32_t own;                   /* rank of this process in the communicator */
};

static inline bool cs_request_is_active(const struct cs_request *request)
{
    return request->references && (request->flags & CS_REQUEST_ACTIVE);
}

/* True if a request with these flags is active, and its status is still needed to know the outcome. */
static inline bool cs_request_flags_need_status(uint32_t flags)
{
    return flags & CS_REQUEST_ACTIVE && flags & (CS_REQUEST_RECEIVES | CS_REQUEST_CANCELLED) &&
           !(flags & CS_REQUEST_COUNTED);
}
static inline bool cs_request_needs_status(const struct cs_request *request)
{
    return request->references && cs_request_flags_need_status(request->flags);
}

struct cs_request_table {
    struct cs_lock lock;      /* entered by cs_guard_enter; found entries stay in place until cs_guard_leave */
    struct cs_request *slots; /* open addressing, linear probing; references 0: empty. One more than mask + 1: in use */
    uint64_t mask;
    uint64_t count; /* changed by cs_publish: cs_request_has_any does not enter */
};
extern struct cs_request_table cs_requests, cs_messages;

static inline bool cs_request_has_any(const struct cs_request_table *table)
{
    return __atomic_load_n(&table->count, __ATOMIC_RELAXED) != 0;
}

/* The slot of the handle, or the empty one for it. */
static inline struct cs_request *cs_request_slot(const struct cs_request_table *table, uint64_t handle)
{
    uint64_t i = cs_hash_mix(0, handle) & table->mask;
    while (table->slots[i].references && table->slots[i].handle != handle)
        i = (i + 1) & table->mask;
    return &table->slots[i];
}

/* Makes room for one more entry. Returns false, and counts the entry as lost, without memory. */
bool cs_request_make_room(struct cs_request_table *table);

static inline bool cs_request_has_room(const struct cs_request_table *table)
{
    return __builtin_expect(table->count * 2 < table->mask, 1);
}

/* Adds a handle, whose slot is empty, to a table that has room. The caller, who is in the table, fills in the rest. */
static inline void cs_request_put_into(struct cs_request_table *table, struct cs_request *slot, uint64_t handle,
                                       struct cs_profile_key started)
{
    cs_publish(table->count, table->count + 1);
    slot->handle = handle;
    slot->references = 1;
    slot->shown = 0;
    slot->started = started;
    slot->flags = 0;
}

/* Adds a reference to a handle that is in the table. The caller fills in the rest. */
static inline void cs_request_share(struct cs_request *slot, struct cs_profile_key started)
{
    const bool mixed =
        slot->started.site != started.site || cs_profile_object(slot->started) != cs_profile_object(started);
    slot->references++;
    slot->started = started;
    slot->flags = (slot->flags & CS_REQUEST_MIXED) | (mixed ? CS_REQUEST_MIXED : 0) | CS_REQUEST_SHARED;
}

/* Adds a handle to a table that has room; a known handle gets one more reference. Sets only the entry's handle,
   started, references and persistent flags. */
static inline struct cs_request *cs_request_put(struct cs_request_table *table, uint64_t handle,
                                                struct cs_profile_key started)
{
    struct cs_request *slot = cs_request_slot(table, handle);
    if (__builtin_expect(slot->references, 0))
        cs_request_share(slot, started);
    else
        cs_request_put_into(table, slot, handle, started);
    return slot;
}

/* Journal cells for callsign hang, by number from 1. */
extern struct cs_request_cell *cs_request_cells[CS_REQUESTS_SHOWN + 1] __attribute__((visibility("hidden")));
extern uint32_t cs_request_unused_cell
    __attribute__((visibility("hidden"))); /* number of the first unused one; 0: none */
static inline struct cs_request_cell *cs_request_cell_at(uint32_t number)
{
    return cs_request_cells[number];
}

void cs_request_make_cell(void); /* unless the journal has no room */

/* Shows the request, whose entry is complete, in the journal, in this unused cell. Call it with the table's lock. */
static inline void cs_request_show_in(uint32_t number, struct cs_request *request, uint16_t function,
                                      uint32_t collective)
{
    struct cs_request_cell *cell = cs_request_cell_at(number);
    request->shown = (uint16_t)number;
    cs_request_unused_cell = (uint32_t)cell->next; /* 0 in a new one */
    cell->handle = request->handle;
    cell->site = request->started.site;
    cell->bytes = request->bytes;
    cell->object = cs_profile_object(request->started);
    cell->peer = request->peer;
    cell->tag = request->tag;
    cell->collective = collective;
    cell->function = function;
    cell->flags = (uint16_t)request->flags;
    cell->partitions = cell->ready = 0;
    cs_publish(cell->references, 1);
}

/* The same if there is an unused cell. */
static inline void cs_request_show(struct cs_request *request, uint16_t function, uint32_t collective)
{
    if (__builtin_expect(request->references > 1, 0)) {
        if (request->shown)
            cs_request_cell_at(request->shown)->references = request->references;
        return;
    }
    if (__builtin_expect(cs_request_unused_cell != 0, 1))
        cs_request_show_in(cs_request_unused_cell, request, function, collective);
}

/* Copies what is known of a handle; returns false if it is unknown. */
bool cs_request_get(struct cs_request_table *table, uint64_t handle, struct cs_request *request);

/* Removes one reference; the last one removes the entry. */
void cs_request_drop(struct cs_request_table *table, uint64_t handle);

/* A transfer has ended: removes the reference; a persistent request stays. */
void cs_request_end(struct cs_request_table *table, uint64_t handle);

/* cs_request_get without copy, for callers inside the table. The result, NULL or not, is valid until the table
   changes. */
static inline struct cs_request *cs_request_find(const struct cs_request_table *table, uint64_t handle)
{
    if (!table->slots)
        return NULL;
    struct cs_request *slot = cs_request_slot(table, handle);
    return slot->references ? slot : NULL;
}

/* Removes an entry; the next one may belong into its slot. */
void cs_request_close_gap(struct cs_request_table *table, struct cs_request *slot);
static inline void cs_request_remove(struct cs_request_table *table, struct cs_request *slot)
{
    if (slot->shown) {
        struct cs_request_cell *cell = cs_request_cell_at(slot->shown);
        cs_publish(cell->references, 0);
        cell->next = cs_request_unused_cell;
        cs_request_unused_cell = slot->shown;
    }
    slot->references = 0;
    cs_publish(table->count, table->count - 1);
    if (__builtin_expect(slot[1].references, 0))
        cs_request_close_gap(table, slot);
}
static inline void cs_request_drop_found(struct cs_request_table *table, struct cs_request *found)
{
    if (__builtin_expect(found->references > 1, 0)) {
        found->references--;
        if (found->shown)
            cs_request_cell_at(found->shown)->references = found->references;
    } else {
        cs_request_remove(table, found);
    }
}
static inline void cs_request_set_flags(struct cs_request *request, uint32_t flags)
{
    request->flags = flags;
    if (request->shown)
        cs_request_cell_at(request->shown)->flags = (uint16_t)flags;
}
static inline void cs_request_end_found(struct cs_request_table *table, struct cs_request *found)
{
    if (found->flags & CS_REQUEST_PERSISTENT)
        cs_request_set_flags(found, found->flags & ~CS_REQUEST_OF_TRANSFER);
    else
        cs_request_drop_found(table, found);
}

/* A persistent request begins a transfer, in the entry `event` (cs_ring_next). */
void cs_request_activate(struct cs_request_table *table, uint64_t handle, struct cs_profile_key started,
                         uint64_t event);

/* The persistent request sends in `partitions` partitions; that many more of them are ready. */
void cs_request_set_partitions(struct cs_request_table *table, uint64_t handle, int partitions);
void cs_request_add_ready(struct cs_request_table *table, uint64_t handle, int partitions);

/* Sets CS_REQUEST_CANCELLED or CS_REQUEST_COUNTED until the transfer ends. */
void cs_request_mark(struct cs_request_table *table, uint64_t handle, enum cs_request_flag flag);

/* Shows all entries of a table to `visit`, which must not use the table. */
void cs_request_each(struct cs_request_table *table, void (*visit)(const struct cs_request *request, void *context),
                     void *context);

/* True if any request, active or not, or a matched message is on this communicator. Takes no time if there is none. */
bool cs_request_is_on(struct cs_request_table *table, uint32_t object);

/* In a forked child. */
void cs_request_forget(void);

/* ---- requests that are pending when what they are on is freed ---- */

/* Records, by call site and function, how many requests are pending on this communicator, window or file, which was
   freed at `ticks`. */
void cs_request_note_pending(uint32_t object, uint64_t ticks);
