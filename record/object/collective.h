/* The begin of a collective call in the steady state: gives it its number, and keeps what all members must agree on. */
#pragma once

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "base/hash.h"
#include "journal/format.h"
#include "record/object/progress.h"
#include "record/object/type_signature.h"
#include "record/process/cells.h"
#include "record/process/thread.h"

enum { CS_PROGRESS_GROUPS = 8 }; /* groups of calls that an object keeps */

/* The counts of one object. Never freed, and never moved to another chain: readers of a chain take no lock. */
struct cs_progress {
    _Atomic uint32_t object;                                    /* 0: unused */
    struct cs_collective_cell *collective;                      /* NULL: no collective call yet */
    struct cs_collective_calls_cell *group[CS_PROGRESS_GROUPS]; /* its last calls; NULL: not yet, or no room */
    uint32_t groups;                                            /* number of groups that it uses */
    /* Synchronizing calls: */
    bool counted; /* counted since the first one on the communicator */
    bool inside;  /* in such a call, or one did not return, or failed */
    bool ended;   /* the members may no longer count alike */
    bool early;   /* followed from the first call on */
    uint64_t calls;
    struct cs_synchronization_cell *last; /* the last calls; NULL: not yet, or no room */
    struct cs_progress *next;             /* in its chain */
};

/* Only the form `all`: sums over pairs, and groups, may differ between members. */
static inline void cs_collective_add_hash(struct cs_collective_cell *cell, uint32_t number,
                                          const struct cs_collective_data *data)
{
    if (__builtin_expect(data->signature > CS_DATA_BYTES, 1))
        cell->data_hash = cs_hash_mix(cell->data_hash, data->signature);
    else if (data->signature != CS_DATA_EMPTY && !cell->data_unknown)
        cell->data_unknown = number;
}

static_assert(offsetof(struct cs_collective_call, type) - offsetof(struct cs_collective_call, signature) ==
                      offsetof(struct cs_collective_data, type) &&
                  offsetof(struct cs_collective_call, own_bytes) - offsetof(struct cs_collective_call, signature) ==
                      offsetof(struct cs_collective_data, own_bytes) &&
                  offsetof(struct cs_collective_call, compared) - offsetof(struct cs_collective_call, op) ==
                      offsetof(struct cs_collective_data, compared) - offsetof(struct cs_collective_data, op),
              "signatures and sizes are copied at once; so are operation and what is compared");

/* entry NULL: there is no room for it. */
static inline __attribute__((always_inline)) void cs_collective_keep(struct cs_collective_cell *cell,
                                                                     struct cs_collective_call *entry, uint32_t number,
                                                                     struct cs_collective_function what, uint64_t site,
                                                                     const struct cs_collective_data *data)
{
    static const struct cs_collective_data none = {.size_bytes = CS_NO_BYTES, .own_bytes = CS_NO_BYTES};
    const bool has_data = data != NULL;
    data = has_data ? data : &none;
    cell->function = what.function;
    cell->root = what.root;
    cell->hash =
        cs_hash_mix(cell->hash, what.operation | (uint64_t)data->op << 16 | (uint64_t)(uint32_t)what.root << 32);
    if (has_data && data->compared <= CS_COMPARED_DATA_ALL)
        cs_collective_add_hash(cell, number, data);
    cs_publish(cell->begun, number);
    if (__builtin_expect(!entry, 0))
        return;
    cs_publish(entry->number, 0);
    entry->site = site;
    memcpy(&entry->signature, data, offsetof(struct cs_collective_data, type));
    entry->type = data->type;
    entry->root = what.root;
    entry->function = what.operation;
    memcpy(&entry->op, &data->op, sizeof entry->op + sizeof entry->compared);
    cs_publish(entry->number, number);
}

/* cs_collective_begin if all is there, as usual; else returns 0, and nothing has begun. */
static inline __attribute__((always_inline)) uint32_t
cs_collective_begin_steadily(const struct cs_thread *thread, uint32_t object, struct cs_collective_function what,
                             uint64_t site, const struct cs_collective_data *data)
{
    const struct cs_progress *it = thread->progress;
    if (__builtin_expect(!it || atomic_load_explicit(&it->object, memory_order_acquire) != object, 0))
        return 0;
    struct cs_collective_cell *cell = it->collective;
    if (__builtin_expect(!cell || cell->object != object, 0))
        return 0;
    const uint32_t before = cell->begun;
    struct cs_collective_calls_cell *group = it->group[before / CS_COLLECTIVE_GROUP & (it->groups - 1)];
    if (__builtin_expect(!group || group->object != object || (before & (before + 1)) == 0, 0))
        return 0;
    cs_collective_keep(cell, &group->calls[before % CS_COLLECTIVE_GROUP], before + 1, what, site, data);
    return before + 1;
}
