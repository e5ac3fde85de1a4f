#include "record/request.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/keep_errno.h"
#include "record/recorder.h"

enum { FIRST_SLOTS = 256 };

struct cs_request_table {
    pthread_mutex_t lock;     /* taken only when threads may call MPI at once */
    struct cs_request *slots; /* open addressing, linear probing; references 0: empty */
    uint64_t mask, count;
};

struct cs_request_table cs_requests = {.lock = PTHREAD_MUTEX_INITIALIZER};
struct cs_request_table cs_messages = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void enter(struct cs_request_table *table)
{
    if (cs_recorder.parallel)
        pthread_mutex_lock(&table->lock);
}

static void leave(struct cs_request_table *table)
{
    if (cs_recorder.parallel)
        pthread_mutex_unlock(&table->lock);
}

static uint64_t hash(uint64_t handle)
{
    uint64_t x = handle * 0x9e3779b97f4a7c15u;
    return x ^ (x >> 32);
}

/* The slot of the handle, or the empty one where it belongs. */
static struct cs_request *find(struct cs_request_table *table, uint64_t handle)
{
    uint64_t i = hash(handle) & table->mask;
    while (table->slots[i].references && table->slots[i].handle != handle)
        i = (i + 1) & table->mask;
    return &table->slots[i];
}

static bool resize(struct cs_request_table *table, uint64_t slots)
{
    CS_KEEP_ERRNO;
    struct cs_request_table resized = {.slots = calloc(slots, sizeof *resized.slots), .mask = slots - 1};
    if (!resized.slots)
        return false;
    for (uint64_t i = 0; table->slots && i <= table->mask; i++)
        if (table->slots[i].references)
            *find(&resized, table->slots[i].handle) = table->slots[i];
    free(table->slots);
    table->slots = resized.slots;
    table->mask = resized.mask;
    return true;
}

static bool make_room(struct cs_request_table *table)
{
    if (table->slots && table->count * 2 <= table->mask)
        return true;
    return resize(table, table->slots ? 2 * (table->mask + 1) : FIRST_SLOTS);
}

/* Closes the gap, so that no marks are needed: entries after it move up unless they are in their own slot. */
static void remove_slot(struct cs_request_table *table, struct cs_request *slot)
{
    uint64_t gap = (uint64_t)(slot - table->slots);
    for (uint64_t i = (gap + 1) & table->mask; table->slots[i].references; i = (i + 1) & table->mask) {
        uint64_t home = hash(table->slots[i].handle) & table->mask;
        if (((i - home) & table->mask) >= ((i - gap) & table->mask)) {
            table->slots[gap] = table->slots[i];
            gap = i;
        }
    }
    table->slots[gap].references = 0;
    table->count--;
}

void cs_request_put(struct cs_request_table *table, const struct cs_request *request)
{
    enter(table);
    if (make_room(table)) {
        struct cs_request *slot = find(table, request->handle);
        uint32_t references = slot->references;
        bool mixed = references && (slot->started.site != request->started.site ||
                                    cs_profile_object(slot->started) != cs_profile_object(request->started));
        uint32_t sticky = references ? slot->flags & CS_REQUEST_MIXED : 0;
        table->count += references == 0;
        *slot = *request;
        slot->references = references + 1;
        slot->flags |= sticky | (mixed ? CS_REQUEST_MIXED : 0);
    } else {
        cs_journal_lose(cs_recorder.journal);
    }
    leave(table);
}

/* The entry of a known handle, with the lock held; NULL: not known, and nothing is held. */
static struct cs_request *enter_at(struct cs_request_table *table, uint64_t handle)
{
    enter(table);
    struct cs_request *slot = table->slots ? find(table, handle) : NULL;
    if (slot && slot->references)
        return slot;
    leave(table);
    return NULL;
}

bool cs_request_get(struct cs_request_table *table, uint64_t handle, struct cs_request *request)
{
    const struct cs_request *slot = enter_at(table, handle);
    if (!slot)
        return false;
    *request = *slot;
    leave(table);
    return true;
}

void cs_request_drop(struct cs_request_table *table, uint64_t handle)
{
    struct cs_request *slot = enter_at(table, handle);
    if (!slot)
        return;
    if (slot->references > 1)
        slot->references--;
    else
        remove_slot(table, slot);
    leave(table);
}

void cs_request_activate(struct cs_request_table *table, uint64_t handle, const struct cs_profile_key *started)
{
    struct cs_request *slot = enter_at(table, handle);
    if (!slot)
        return;
    slot->flags &= ~(uint32_t)(CS_REQUEST_ACTIVE | CS_REQUEST_CANCELLED | CS_REQUEST_COUNTED);
    if (started) {
        slot->flags |= CS_REQUEST_ACTIVE;
        slot->started = *started;
    }
    leave(table);
}

void cs_request_mark(struct cs_request_table *table, uint64_t handle, enum cs_request_flag flag)
{
    struct cs_request *slot = enter_at(table, handle);
    if (!slot)
        return;
    slot->flags |= flag;
    leave(table);
}

void cs_request_each(struct cs_request_table *table, void (*visit)(const struct cs_request *request, void *context),
                     void *context)
{
    enter(table);
    for (uint64_t i = 0; table->slots && i <= table->mask; i++)
        if (table->slots[i].references)
            visit(&table->slots[i], context);
    leave(table);
}

/* A table that once held many is not gone through again and again for few. */
static void shrink(struct cs_request_table *table)
{
    uint64_t slots = FIRST_SLOTS;
    while (slots < 8 * table->count)
        slots *= 2;
    if (8 * slots <= table->mask)
        resize(table, slots);
}

void cs_request_each_on(struct cs_request_table *table, uint32_t object,
                        void (*visit)(const struct cs_request *request, void *context), void *context)
{
    enter(table);
    if (table->count) {
        shrink(table);
        for (uint64_t i = 0; i <= table->mask; i++)
            if (cs_request_is_active(&table->slots[i]) && cs_profile_object(table->slots[i].started) == object)
                visit(&table->slots[i], context);
    }
    leave(table);
}

void cs_request_forget(void)
{
    cs_requests.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    cs_messages.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
