/* Requests and matched messages: what is known of each handle from the call that made it until it completes. */
#pragma once

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "journal/format.h"
#include "record/call/profile.h"
#include "record/process/cells.h"
#include "record/process/recorder.h"

/* What a persistent request loses when a transfer ends. */
#define CS_REQUEST_OF_TRANSFER (uint32_t)(CS_REQUEST_ACTIVE | CS_REQUEST_CANCELLED | CS_REQUEST_COUNTED)

struct cs_request {
    uint64_t handle; /* of C, or another unique key */
    struct cs_profile_key
        started;             /* the cell of the call that began the transfer; its object also owns the waiting time */
    uint64_t sent_bytes;     /* of a send; of all else that is persistent, counted at each start */
    uint64_t received_bytes; /* persistent: likewise */
    uint32_t made;           /* object that becomes usable with completion; 0: none */
    uint32_t references;     /* one handle may be given out several times (transfers to MPI_PROC_NULL) */
    uint32_t flags;          /* enum cs_request_flag */
    int32_t peer, tag;       /* as in struct cs_thread_state */
    uint32_t shown;          /* place of its cell in the journal; 0: it has none */
    uint64_t bytes;          /* that are sent, or that there is room for */
};

static inline bool cs_request_is_active(const struct cs_request *request)
{
    return request->references && (request->flags & CS_REQUEST_ACTIVE);
}

/* Whether its status still has to tell what came of it. */
static inline bool cs_request_needs_status(const struct cs_request *request)
{
    return cs_request_is_active(request) && request->flags & (CS_REQUEST_RECEIVES | CS_REQUEST_CANCELLED) &&
           !(request->flags & CS_REQUEST_COUNTED);
}

struct cs_request_table {
    pthread_mutex_t lock;     /* taken only when threads may call MPI at once */
    _Atomic uint32_t inside;  /* how often the thread is inside that takes no lock, being alone */
    struct cs_request *slots; /* open addressing, linear probing; references 0: empty */
    uint64_t mask, count;
};
extern struct cs_request_table cs_requests, cs_messages;

/* The slot of the handle, or the empty one where it belongs. */
static inline struct cs_request *cs_request_slot(const struct cs_request_table *table, uint64_t handle)
{
    uint64_t i = cs_hash_mix(0, handle) & table->mask;
    while (table->slots[i].references && table->slots[i].handle != handle)
        i = (i + 1) & table->mask;
    return &table->slots[i];
}

/* Enters a table, with its lock if threads may call MPI at once. Returns whether the lock was taken, for
   cs_request_unlock. Without it the thread is alone until it leaves: cs_request_share waits for that. */
static inline bool cs_request_lock(struct cs_request_table *table)
{
    if (__builtin_expect(!cs_is_parallel(), 1)) {
        uint32_t inside = atomic_load_explicit(&table->inside, memory_order_relaxed);
        atomic_store_explicit(&table->inside, inside + 1, memory_order_relaxed);
        atomic_signal_fence(memory_order_seq_cst); /* the processor's part does cs_request_share */
        if (__builtin_expect(!cs_is_parallel(), 1))
            return false;
        atomic_store_explicit(&table->inside, inside, memory_order_release);
    }
    pthread_mutex_lock(&table->lock);
    return true;
}
static inline void cs_request_unlock(struct cs_request_table *table, bool locked)
{
    if (__builtin_expect(locked, 0))
        pthread_mutex_unlock(&table->lock);
    else
        atomic_store_explicit(&table->inside, atomic_load_explicit(&table->inside, memory_order_relaxed) - 1,
                              memory_order_release);
}

/* Enters without the lock, if the thread is alone: what it finds stays in place until it leaves by
   cs_request_unlock(table, false). False: it is not alone, and nothing is entered. */
static inline bool cs_request_enter_alone(struct cs_request_table *table)
{
    bool locked = cs_request_lock(table);
    if (__builtin_expect(locked, 0))
        cs_request_unlock(table, true);
    return !locked;
}

/* From now on threads may call MPI at once. Once it has returned, no thread is in a table without its lock. */
void cs_request_share(void);

bool cs_request_make_room(struct cs_request_table *table);

/* Enters a handle; one that is there already gets one more reference. Of the entry handle, started, references and
   those flags are set that stay: the caller, who is in the table, fills in the rest where it stands. NULL: lost, and
   counted so. */
static inline struct cs_request *cs_request_put(struct cs_request_table *table, uint64_t handle,
                                                struct cs_profile_key started)
{
    if (__builtin_expect(!table->slots || table->count * 2 > table->mask, 0) && !cs_request_make_room(table))
        return NULL;
    struct cs_request *slot = cs_request_slot(table, handle);
    uint32_t flags = 0;
    if (__builtin_expect(slot->references, 0)) {
        bool mixed =
            slot->started.site != started.site || cs_profile_object(slot->started) != cs_profile_object(started);
        flags = (slot->flags & CS_REQUEST_MIXED) | (mixed ? CS_REQUEST_MIXED : 0) | CS_REQUEST_SHARED;
    } else {
        table->count++;
    }
    slot->handle = handle;
    slot->started = started;
    if (!slot->references++)
        slot->shown = 0;
    slot->flags = flags;
    return slot;
}

/* Cells of the journal in which callsign hang finds the requests, and how many requests found no room there. */
extern struct cs_cells cs_requests_shown __attribute__((visibility("hidden")));
static inline struct cs_request_cell *cs_request_cell_at(uint32_t place)
{
    return (struct cs_request_cell *)(cs_requests_shown.block[place >> 16] + 1) + ((place & 0xffff) - 1);
}

/* Shows the request, whose entry is filled, in the journal. With the table's lock. */
uint32_t cs_request_take_cell(void);
static inline void cs_request_show(struct cs_request *request, uint16_t function, uint32_t collective)
{
    if (__builtin_expect(request->references > 1, 0)) {
        if (request->shown)
            cs_request_cell_at(request->shown)->references = request->references;
        return;
    }
    request->shown = cs_request_take_cell();
    if (!request->shown)
        return;
    struct cs_request_cell *cell = cs_request_cell_at(request->shown);
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

/* Copies what is known of a handle; false: nothing. */
bool cs_request_get(struct cs_request_table *table, uint64_t handle, struct cs_request *request);

/* One reference less; the last one removes it. */
void cs_request_drop(struct cs_request_table *table, uint64_t handle);

/* A transfer has ended: drops the handle, but a persistent request stays. */
void cs_request_end(struct cs_request_table *table, uint64_t handle);

/* The same without copies, for those who are in the table. What is found, NULL or not, stays in place until the table
   is changed. */
static inline struct cs_request *cs_request_find(const struct cs_request_table *table, uint64_t handle)
{
    if (!table->slots)
        return NULL;
    struct cs_request *slot = cs_request_slot(table, handle);
    return slot->references ? slot : NULL;
}
void cs_request_remove(struct cs_request_table *table, struct cs_request *slot);
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

/* A persistent request begins a transfer. */
void cs_request_activate(struct cs_request_table *table, uint64_t handle, struct cs_profile_key started);

/* The persistent request sends in so many partitions; so many more of them are ready. */
void cs_request_set_partitions(struct cs_request_table *table, uint64_t handle, int partitions);
void cs_request_add_ready(struct cs_request_table *table, uint64_t handle, int partitions);

/* Sets CS_REQUEST_CANCELLED or CS_REQUEST_COUNTED, until the transfer ends. */
void cs_request_mark(struct cs_request_table *table, uint64_t handle, enum cs_request_flag flag);

/* Shows all entries of a table to `visit`, which must not use the table. */
void cs_request_each(struct cs_request_table *table, void (*visit)(const struct cs_request *request, void *context),
                     void *context);

/* Whether any request is on this communicator, active or not, or any matched message. No time where there is none. */
bool cs_request_is_on(struct cs_request_table *table, uint32_t object);

/* In a forked child. */
void cs_request_forget(void);

/* ---- requests that are pending when what they are on is freed ---- */

/* Tells, by call site and function, how many requests on this communicator, window or file are pending. It was freed
   just now: ticks. */
void cs_request_note_pending(uint32_t object, uint64_t ticks);
