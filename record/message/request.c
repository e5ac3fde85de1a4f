#include "record/message/request.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/keep_errno.h"
#include "journal/format.h"
#include "record/process/recorder.h"
#include "record/site/module.h"

/* ---- request ---- */

enum { FIRST_SLOTS = 256 };

struct cs_request_table cs_requests, cs_messages;

static struct cs_cells shown;
struct cs_request_cell *cs_request_cells[CS_REQUESTS_SHOWN + 1];
uint32_t cs_request_unused_cell;

void cs_request_make_cell(void)
{
    struct cs_request_cell *cell = shown.count < CS_REQUESTS_SHOWN && cs_recorder.journal
                                       ? cs_cells_append(&shown, 0, CS_BLOCK_REQUEST, sizeof(struct cs_request_cell))
                                       : NULL;
    if (!cell)
        return;
    cs_request_cells[shown.count] = cell;
    cs_request_unused_cell = (uint32_t)shown.count;
}

static bool resize(struct cs_request_table *table, uint64_t slots)
{
    CS_KEEP_ERRNO;
    struct cs_request_table resized = {.slots = calloc(slots + 1, sizeof *resized.slots), .mask = slots - 1};
    if (!resized.slots)
        return false;
    resized.slots[slots].references = 1; /* the slot after the last one is the first */
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
    cs_journal_count_loss(cs_recorder.journal);
    return false;
}

/* Moves later entries into the gap unless they are in their own slot, so that no marks for removed entries are
   needed. */
void cs_request_close_gap(struct cs_request_table *table, struct cs_request *slot)
{
    uint64_t gap = (uint64_t)(slot - table->slots);
    for (uint64_t i = (gap + 1) & table->mask; table->slots[i].references; i = (i + 1) & table->mask) {
        uint64_t home = cs_hash_mix(0, table->slots[i].handle) & table->mask;
        if (((i - home) & table->mask) >= ((i - gap) & table->mask)) {
            table->slots[gap] = table->slots[i];
            gap = i;
        }
    }
    table->slots[gap].references = 0;
}

bool cs_request_get(struct cs_request_table *table, uint64_t handle, struct cs_request *request)
{
    bool locked = cs_guard_enter(&table->lock);
    const struct cs_request *slot = cs_request_find(table, handle);
    if (slot)
        *request = *slot;
    cs_guard_leave(&table->lock, locked);
    return slot != NULL;
}

void cs_request_drop(struct cs_request_table *table, uint64_t handle)
{
    bool locked = cs_guard_enter(&table->lock);
    struct cs_request *slot = cs_request_find(table, handle);
    if (slot)
        cs_request_drop_found(table, slot);
    cs_guard_leave(&table->lock, locked);
}

void cs_request_end(struct cs_request_table *table, uint64_t handle)
{
    bool locked = cs_guard_enter(&table->lock);
    struct cs_request *slot = cs_request_find(table, handle);
    if (slot)
        cs_request_end_found(table, slot);
    cs_guard_leave(&table->lock, locked);
}

void cs_request_activate(struct cs_request_table *table, uint64_t handle, struct cs_profile_key started, uint64_t event)
{
    bool locked = cs_guard_enter(&table->lock);
    struct cs_request *slot = cs_request_find(table, handle);
    if (slot) {
        cs_request_set_flags(slot, (slot->flags & ~CS_REQUEST_OF_TRANSFER) | CS_REQUEST_ACTIVE);
        slot->started = started;
        slot->event = event;
        if (slot->shown)
            cs_request_cell_at(slot->shown)->ready = 0;
    }
    cs_guard_leave(&table->lock, locked);
}

void cs_request_set_partitions(struct cs_request_table *table, uint64_t handle, int partitions)
{
    bool locked = cs_guard_enter(&table->lock);
    const struct cs_request *slot = cs_request_find(table, handle);
    if (slot && slot->shown && partitions <= UINT16_MAX)
        cs_request_cell_at(slot->shown)->partitions = (uint16_t)partitions;
    cs_guard_leave(&table->lock, locked);
}

void cs_request_add_ready(struct cs_request_table *table, uint64_t handle, int partitions)
{
    bool locked = cs_guard_enter(&table->lock);
    const struct cs_request *slot = cs_request_find(table, handle);
    if (slot && slot->shown)
        cs_request_cell_at(slot->shown)->ready += (uint16_t)partitions;
    cs_guard_leave(&table->lock, locked);
}

void cs_request_mark(struct cs_request_table *table, uint64_t handle, enum cs_request_flag flag)
{
    bool locked = cs_guard_enter(&table->lock);
    struct cs_request *slot = cs_request_find(table, handle);
    if (slot)
        slot->flags |= flag;
    cs_guard_leave(&table->lock, locked);
}

void cs_request_each(struct cs_request_table *table, void (*visit)(const struct cs_request *request, void *context),
                     void *context)
{
    bool locked = cs_guard_enter(&table->lock);
    for (uint64_t i = 0; table->slots && i <= table->mask; i++)
        if (table->slots[i].references)
            visit(&table->slots[i], context);
    cs_guard_leave(&table->lock, locked);
}

/* A table that was once large is not searched again and again for few entries. */
static void shrink(struct cs_request_table *table)
{
    uint64_t slots = FIRST_SLOTS;
    while (slots < 8 * table->count)
        slots *= 2;
    if (8 * slots <= table->mask)
        resize(table, slots);
}

/* Shows all active requests on this communicator, window or file to `visit`. Takes no time if none is pending, and
   shrinks a table that was once large. */
static void visit_active_on(struct cs_request_table *table, uint32_t object,
                            void (*visit)(const struct cs_request *request, void *context), void *context)
{
    bool locked = cs_guard_enter(&table->lock);
    if (table->count) {
        shrink(table);
        for (uint64_t i = 0; i <= table->mask; i++)
            if (cs_request_is_active(&table->slots[i]) && cs_profile_object(table->slots[i].started) == object)
                visit(&table->slots[i], context);
    }
    cs_guard_leave(&table->lock, locked);
}

static __attribute__((noinline)) bool is_on(struct cs_request_table *table, uint32_t object)
{
    bool found = false;
    bool locked = cs_guard_enter(&table->lock);
    if (table->count) {
        shrink(table);
        for (uint64_t i = 0; !found && i <= table->mask; i++)
            found = table->slots[i].references && cs_profile_object(table->slots[i].started) == object;
    }
    cs_guard_leave(&table->lock, locked);
    return found;
}

bool cs_request_is_on(struct cs_request_table *table, uint32_t object)
{
    return cs_request_has_any(table) && is_on(table, object);
}

void cs_request_forget(void)
{
    cs_requests.lock = (struct cs_lock){CS_LOCK_FREE};
    cs_messages.lock = (struct cs_lock){CS_LOCK_FREE};
}

/* ---- pending ---- */

enum { SITES_MAX = 32 };

/* Requests by call site and function. Unused entries are not cleared, because usually there are none. */
struct beginnings {
    uint32_t count;
    struct cs_fact_pending fact[SITES_MAX + 1]; /* the last one: all others */
};

static struct cs_fact_pending *beginning_of(struct beginnings *all, uint64_t site, uint16_t function)
{
    uint32_t i = 0;
    while (i < all->count && i < SITES_MAX && (all->fact[i].site != site || all->fact[i].function != function))
        i++;
    if (i == all->count) {
        all->count++;
        all->fact[i] =
            (struct cs_fact_pending){.site = i < SITES_MAX ? site : 0, .function = i < SITES_MAX ? function : 0};
    }
    return &all->fact[i];
}

/* A handle that stands for several transfers from different sites belongs to completed ones: see
   wrappers/request/request_roles.c. */
static void add_pending(const struct cs_request *request, void *context)
{
    if (!(request->flags & (CS_REQUEST_MIXED | CS_REQUEST_INTERNAL)))
        beginning_of(context, request->started.site, cs_profile_function(request->started))->requests +=
            request->references;
}

static __attribute__((noinline)) void note_pending(uint32_t object, uint64_t ticks)
{
    struct beginnings all;
    all.count = 0;
    visit_active_on(&cs_requests, object, add_pending, &all);
    for (uint32_t i = 0; i < all.count; i++) {
        struct cs_fact_pending *fact = &all.fact[i];
        if (!fact->requests)
            continue;
        fact->fact.ticks = ticks;
        fact->object = object;
        cs_module_record(fact->site);
        cs_journal_append(cs_recorder.journal, CS_FACT_PENDING, &fact->fact, sizeof *fact);
    }
}

void cs_request_note_pending(uint32_t object, uint64_t ticks)
{
    if (cs_request_has_any(&cs_requests))
        note_pending(object, ticks);
}
