#include "record/request.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/keep_errno.h"
#include "record/recorder.h"

enum { FIRST_SLOTS = 256 };

struct cs_request_table cs_requests = {.lock = PTHREAD_MUTEX_INITIALIZER};
struct cs_request_table cs_messages = {.lock = PTHREAD_MUTEX_INITIALIZER};

static inline void enter(struct cs_request_table *table)
{
    cs_request_lock(table);
}

static inline void leave(struct cs_request_table *table)
{
    cs_request_begun(table);
}

static bool resize(struct cs_request_table *table, uint64_t slots)
{
    CS_KEEP_ERRNO;
    struct cs_request_table resized = {.slots = calloc(slots, sizeof *resized.slots), .mask = slots - 1};
    if (!resized.slots)
        return false;
    for (uint64_t i = 0; table->slots && i <= table->mask; i++)
        if (table->slots[i].references)
            *cs_request_slot(&resized, table->slots[i].handle) = table->slots[i];
    free(table->slots);
    table->slots = resized.slots;
    table->mask = resized.mask;
    return true;
}

bool cs_request_make_room(struct cs_request_table *table)
{
    if (resize(table, table->slots ? 2 * (table->mask + 1) : FIRST_SLOTS))
        return true;
    cs_journal_lose(cs_recorder.journal);
    leave(table);
    return false;
}

/* Closes the gap, so that no marks are needed: entries after it move up unless they are in their own slot. */
void cs_request_remove(struct cs_request_table *table, struct cs_request *slot)
{
    uint64_t gap = (uint64_t)(slot - table->slots);
    for (uint64_t i = (gap + 1) & table->mask; table->slots[i].references; i = (i + 1) & table->mask) {
        uint64_t home = cs_request_hash(table->slots[i].handle) & table->mask;
        if (((i - home) & table->mask) >= ((i - gap) & table->mask)) {
            table->slots[gap] = table->slots[i];
            gap = i;
        }
    }
    table->slots[gap].references = 0;
    table->count--;
}

/* The entry of a known handle, with the lock held; NULL: not known, and nothing is held. */
static struct cs_request *enter_at(struct cs_request_table *table, uint64_t handle)
{
    enter(table);
    struct cs_request *slot = cs_request_find(table, handle);
    if (!slot)
        leave(table);
    return slot;
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
    cs_request_drop_found(table, slot);
    leave(table);
}

void cs_request_end(struct cs_request_table *table, uint64_t handle)
{
    struct cs_request *slot = enter_at(table, handle);
    if (!slot)
        return;
    cs_request_end_found(table, slot);
    leave(table);
}

void cs_request_activate(struct cs_request_table *table, uint64_t handle, struct cs_profile_key started)
{
    struct cs_request *slot = enter_at(table, handle);
    if (!slot)
        return;
    slot->flags = (slot->flags & ~CS_REQUEST_OF_TRANSFER) | CS_REQUEST_ACTIVE;
    slot->started = started;
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

bool cs_request_is_on(struct cs_request_table *table, uint32_t object)
{
    bool found = false;
    enter(table);
    if (table->count) {
        shrink(table);
        for (uint64_t i = 0; !found && i <= table->mask; i++)
            found = table->slots[i].references && cs_profile_object(table->slots[i].started) == object;
    }
    leave(table);
    return found;
}

void cs_request_forget(void)
{
    cs_requests.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    cs_messages.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
