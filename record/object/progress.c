#include "record/object/progress.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "base/keep_errno.h"
#include "journal/format.h"
#include "journal/writer.h"
#include "record/object/collective.h"
#include "record/process/cells.h"
#include "record/process/recorder.h"
#include "record/process/thread.h"

enum {
    CHAINS = 1024, /* chains of counts, by id of the object */
    EARLY = 4096,  /* so many communicators are followed from their first synchronizing call, others from the LATE-th: a
                      program that makes a million communicators with one barrier each needs no row for each */
    LATE = 16,
    FIRST_CELL = 4,    /* before that, each call but the third is a fact anyway */
    DEAD_CELLS = 1024, /* cells of so many dead communicators stay in the journal; further ones are reused */
    WITH_GROUPS = 64,  /* so many objects keep all groups, others one */
    FIRST_POINT = 8    /* number of the first call whose hashes are a fact */
};

static struct cs_lock lock;
static struct cs_progress *_Atomic chains[CHAINS];
static struct cs_cells collective_cells, calls_cells, synchronization_cells;
static uint32_t early_communicators;
static uint32_t dead_cells;
static _Atomic uint32_t dead_collectives, with_groups;
static bool out_of_memory; /* then a communicator may have calls before it is counted */

/* The rare parts are not inline: their registers would be saved at each call. */
static __attribute__((noinline)) struct cs_progress *find(uint32_t object)
{
    struct cs_progress *it = atomic_load_explicit(&chains[object % CHAINS], memory_order_acquire);
    while (it && atomic_load_explicit(&it->object, memory_order_acquire) != object)
        it = it->next;
    return it;
}

/* Takes the counts of a dead object in the chain, or makes new ones. */
static struct cs_progress *take(struct cs_progress *_Atomic *chain)
{
    struct cs_progress *first = atomic_load_explicit(chain, memory_order_relaxed);
    for (struct cs_progress *it = first; it; it = it->next)
        if (!atomic_load_explicit(&it->object,
                                  memory_order_acquire)) /* its counts are those that cs_progress_drop left */
            return it;
    struct cs_progress *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    it->next = first;
    atomic_store_explicit(chain, it, memory_order_release);
    return it;
}

static __attribute__((noinline)) struct cs_progress *add(uint32_t object)
{
    CS_KEEP_ERRNO;
    const bool locked = cs_guard_enter(&lock);
    struct cs_progress *it = find(object);
    if (!it && (it = take(&chains[object % CHAINS]))) {
        it->counted = false;
        if (it->last && dead_cells < DEAD_CELLS) {
            dead_cells++;
            it->last = NULL;
        }
        atomic_store_explicit(&it->object, object, memory_order_release);
    }
    out_of_memory |= !it;
    cs_guard_leave(&lock, locked);
    return it;
}

/* NULL: no counts. */
static inline struct cs_progress *progress_of(struct cs_thread *thread, uint32_t object)
{
    struct cs_progress *it = thread->progress;
    if (__builtin_expect(it && atomic_load_explicit(&it->object, memory_order_acquire) == object, 1))
        return it;
    it = find(object);
    return it ? thread->progress = it : NULL;
}

/* ---- collective calls ---- */

static __attribute__((noinline)) struct cs_collective_cell *show_collective(struct cs_progress *it, uint32_t object)
{
    CS_KEEP_ERRNO;
    const bool locked = cs_guard_enter(&lock);
    if (!it->collective)
        it->collective = cs_cells_append(&collective_cells, 0, CS_BLOCK_COLLECTIVE, sizeof *it->collective);
    if (it->collective && it->collective->object != object) {
        *it->collective = (struct cs_collective_cell){0};
        cs_publish(it->collective->object, object);
        it->groups = atomic_load_explicit(&with_groups, memory_order_relaxed) < WITH_GROUPS ? CS_PROGRESS_GROUPS : 1;
        atomic_fetch_add_explicit(&with_groups, it->groups > 1, memory_order_relaxed);
    }
    cs_guard_leave(&lock, locked);
    return it->collective;
}

/* Takes the group of a dead object, or makes a new one. */
static __attribute__((noinline)) struct cs_collective_calls_cell *show_group(struct cs_progress *it, uint32_t object,
                                                                             uint32_t number)
{
    CS_KEEP_ERRNO;
    struct cs_collective_calls_cell **group = &it->group[number];
    const bool locked = cs_guard_enter(&lock);
    if (!*group)
        *group = cs_cells_append(&calls_cells, 0, CS_BLOCK_COLLECTIVE_CALLS, sizeof **group);
    if (*group) {
        for (int i = 0; i < CS_COLLECTIVE_GROUP; i++)
            cs_publish((*group)->calls[i].number, 0);
        cs_publish((*group)->object, object);
    }
    cs_guard_leave(&lock, locked);
    return *group;
}

/* NULL: there is no room. */
static inline struct cs_collective_call *entry_of(struct cs_progress *it, uint32_t object, uint32_t number)
{
    uint32_t at = (number - 1) / CS_COLLECTIVE_GROUP & (it->groups - 1);
    struct cs_collective_calls_cell *group = it->group[at];
    if (!group || group->object != object)
        group = show_group(it, object, at);
    if (!group)
        return NULL;
    return &group->calls[(number - 1) % CS_COLLECTIVE_GROUP];
}

static __attribute__((noinline)) void keep_hashes(const struct cs_collective_cell *cell)
{
    struct cs_fact_collective_point fact = {.object = cell->object,
                                            .number = cell->begun,
                                            .hash = cell->hash,
                                            .data_hash = cell->data_hash,
                                            .data_unknown = cell->data_unknown};
    cs_journal_append(cs_recorder.journal, CS_FACT_COLLECTIVE_POINT, &fact.fact, sizeof fact);
}

uint32_t cs_collective_begin(struct cs_thread *thread, uint32_t object, struct cs_collective_function what,
                             uint64_t site, const struct cs_collective_data *data, bool last)
{
    struct cs_progress *it = progress_of(thread, object);
    if (!it) {
        it = last ? NULL : add(object);
        if (!it)
            return last;
        thread->progress = it;
    }
    struct cs_collective_cell *cell = it->collective;
    if (!cell || cell->object != object) {
        cell = last ? NULL : show_collective(it, object);
        if (!cell)
            return last;
    }
    const uint32_t number = cell->begun + 1;
    cs_collective_keep(cell, entry_of(it, object, number), number, what, site, data);
    if ((number & (number - 1)) == 0 && number >= FIRST_POINT)
        keep_hashes(cell);
    return number;
}

void cs_collective_fail(struct cs_thread *thread, uint32_t object, uint32_t number)
{
    struct cs_progress *it = progress_of(thread, object);
    if (it && it->collective && it->collective->object == object && !it->collective->failed)
        it->collective->failed = number;
}

/* ---- synchronizing calls ---- */

static __attribute__((noinline)) struct cs_progress *begin_counting(struct cs_thread *thread, uint32_t object)
{
    struct cs_progress *it = progress_of(thread, object);
    if (!it)
        it = add(object);
    if (!it)
        return NULL;
    const bool locked = cs_guard_enter(&lock);
    if (!it->counted && !out_of_memory) {
        it->counted = true;
        it->inside = it->ended = false;
        it->early = early_communicators < EARLY;
        early_communicators += it->early;
        it->calls = 0;
    }
    cs_guard_leave(&lock, locked);
    return thread->progress = it;
}

void cs_synchronization_enter(struct cs_thread *thread, uint32_t object)
{
    struct cs_progress *it = progress_of(thread, object);
    if (__builtin_expect(!it || !it->counted, 0))
        it = begin_counting(thread, object);
    if (!it || !it->counted)
        return;
    it->ended |= it->inside;
    it->inside = true;
}

/* Takes the cell of a dead communicator, or makes a new one. */
static void take_cell(struct cs_progress *it, uint32_t object)
{
    CS_KEEP_ERRNO;
    const bool locked = cs_guard_enter(&lock);
    if (it->last) {
        cs_publish(it->last->object, 0);
        for (int i = 0; i < CS_SYNCHRONIZATION_LAST; i++)
            cs_publish(it->last->last[i].nth, 0);
    } else {
        it->last = cs_cells_append(&synchronization_cells, 0, CS_BLOCK_SYNCHRONIZATION, sizeof *it->last);
    }
    if (it->last)
        cs_publish(it->last->object, object);
    cs_guard_leave(&lock, locked);
}

/* Rare: the 1st, 2nd, 4th, 8th, ... call. */
static __attribute__((noinline)) void keep(struct cs_progress *it, uint32_t object,
                                           const struct cs_synchronization_point *point)
{
    if (!it->early && point->nth < LATE)
        return;
    if (point->nth == (it->early ? FIRST_CELL : LATE))
        take_cell(it, object);
    struct cs_fact_synchronization fact = {.object = object, .point = *point};
    cs_journal_append(cs_recorder.journal, CS_FACT_SYNCHRONIZATION, &fact.fact, sizeof fact);
}

void cs_synchronization_leave(struct cs_thread *thread, uint32_t object, struct cs_synchronization_span span)
{
    struct cs_progress *it = progress_of(thread, object);
    if (!it || !it->counted || !it->inside || it->ended)
        return;
    it->inside = false;
    uint64_t nth = ++it->calls;
    struct cs_synchronization_cell *cell = it->last;
    if (cell && cell->object == object) {
        struct cs_synchronization_point *point = &cell->last[nth % CS_SYNCHRONIZATION_LAST];
        cs_publish(point->nth, 0);
        cs_publish(point->entered_ticks, span.entered);
        cs_publish(point->left_ticks, span.left);
        cs_publish(point->nth, nth);
    }
    if (__builtin_expect((nth & (nth - 1)) == 0, 0))
        keep(it, object, &(struct cs_synchronization_point){nth, span.entered, span.left});
}

void cs_synchronization_pass(struct cs_thread *thread, uint32_t object)
{
    struct cs_progress *it = progress_of(thread, object);
    if (it)
        it->inside = false;
}

void cs_progress_drop(uint32_t object, bool freed)
{
    struct cs_progress *it = find(object);
    if (!it)
        return;
    if (it->collective) {
        if (it->groups > 1 && it->collective->object == object)
            atomic_fetch_sub_explicit(&with_groups, 1, memory_order_relaxed);
        /* The cells of the first dead objects stay in the journal, and those of objects that were not freed. */
        if (!freed || atomic_fetch_add_explicit(&dead_collectives, 1, memory_order_relaxed) < DEAD_CELLS) {
            it->collective = NULL;
            for (int i = 0; i < CS_PROGRESS_GROUPS; i++)
                it->group[i] = NULL;
        } else {
            cs_publish(it->collective->object, 0);
            for (int i = 0; i < CS_PROGRESS_GROUPS; i++)
                if (it->group[i])
                    cs_publish(it->group[i]->object, 0);
        }
    }
    atomic_store_explicit(&it->object, 0, memory_order_release);
}

/* ---- locks of windows ---- */

static struct cs_lock window_lock;
static struct cs_block *block;
static uint64_t latest; /* offset of the last lock that was taken */

/* Makes one page of cells; further locks held at the same time count as lost. */
static bool make_block(void)
{
    return block || cs_journal_add_block(cs_recorder.journal, CS_BLOCK_LOCK, 0, sizeof(struct cs_lock_cell),
                                         CS_JOURNAL_PAGE, &block) == CS_OK;
}

/* The cell of this lock; object 0: a free cell. NULL: none. */
static struct cs_lock_cell *find_lock(uint32_t object, int32_t target)
{
    struct cs_lock_cell *cells = (struct cs_lock_cell *)(block + 1);
    for (uint64_t i = 0; i < block->used; i++) {
        struct cs_lock_cell *cell = &cells[(latest + i) % block->used];
        if (cell->object != object || (object && cell->target != target))
            continue;
        latest = (uint64_t)(cell - cells);
        return cell;
    }
    if (object || (block->used + 1) * sizeof *cells > CS_JOURNAL_PAGE - sizeof *block)
        return NULL;
    latest = block->used;
    cs_publish(block->used, block->used + 1);
    return &cells[latest];
}

void cs_window_lock_add(uint32_t window, int32_t target, bool exclusive)
{
    if (!window)
        return;
    const bool locked = cs_guard_enter(&window_lock);
    struct cs_lock_cell *cell = make_block() ? find_lock(0, 0) : NULL;
    if (cell) {
        cell->target = target;
        cell->exclusive = exclusive;
        cs_publish(cell->object, window);
    } else {
        cs_journal_count_loss(cs_recorder.journal);
    }
    cs_guard_leave(&window_lock, locked);
}

void cs_window_lock_remove(uint32_t window, int32_t target)
{
    const bool locked = cs_guard_enter(&window_lock);
    struct cs_lock_cell *cell = block && window ? find_lock(window, target) : NULL;
    if (cell)
        cs_publish(cell->object, 0);
    cs_guard_leave(&window_lock, locked);
}

void cs_progress_forget(void)
{
    lock = (struct cs_lock){CS_LOCK_FREE};
    window_lock = (struct cs_lock){CS_LOCK_FREE};
}
