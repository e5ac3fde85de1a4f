#include "record/synchronization.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/keep_errno.h"
#include "db/journal/format.h"
#include "record/cells.h"
#include "record/recorder.h"
#include "record/thread.h"

enum {
    CHAINS = 1024, /* of counts, by id of the communicator */
    EARLY = 4096,  /* so many communicators are told from their first call on, others from the LATE-th: a program that
                      makes a million to call one barrier on each needs no row for each */
    LATE = 16,
    FIRST_CELL = 4,   /* until then each call but the third is a fact anyway */
    DEAD_CELLS = 1024 /* cells of so many dead communicators stay in the journal; then they are used again */
};

/* Never freed, and never moved to another chain: whoever goes through a chain needs no lock. */
struct cs_synchronization {
    uint32_t object; /* atomic; 0: of none, to be used again */
    bool inside;     /* in such a call, or it did not return, or failed */
    bool ended;      /* the members may not count alike any more */
    bool early;      /* told from the first call on */
    uint64_t calls;
    struct cs_synchronization_cell *cell; /* the last calls; NULL: not yet, or no room */
    struct cs_synchronization *next;      /* in its chain */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cs_synchronization *chains[CHAINS];
static struct cs_cells cells;
static uint32_t communicators; /* counted so far */
static uint32_t dead_cells;
static bool out_of_memory; /* who was not counted from the first call on must not be counted later */

/* The rare parts are not inline: their registers would be saved at each call. */
static __attribute__((noinline)) struct cs_synchronization *find(uint32_t object)
{
    struct cs_synchronization *it = __atomic_load_n(&chains[object % CHAINS], __ATOMIC_ACQUIRE);
    while (it && __atomic_load_n(&it->object, __ATOMIC_ACQUIRE) != object)
        it = it->next;
    return it;
}

/* One that a dead communicator left in the chain, or a new one. */
static struct cs_synchronization *take(struct cs_synchronization **chain)
{
    for (struct cs_synchronization *it = *chain; it; it = it->next)
        if (!it->object)
            return it;
    struct cs_synchronization *it = calloc(1, sizeof *it);
    if (!it)
        return NULL;
    it->next = *chain;
    __atomic_store_n(chain, it, __ATOMIC_RELEASE);
    return it;
}

static struct cs_synchronization *begin_locked(uint32_t object)
{
    struct cs_synchronization *it = out_of_memory ? NULL : take(&chains[object % CHAINS]);
    if (!it) {
        out_of_memory = true;
        return NULL;
    }
    it->inside = it->ended = false;
    it->early = communicators < EARLY;
    communicators += it->early;
    it->calls = 0;
    if (it->cell && dead_cells < DEAD_CELLS) {
        dead_cells++;
        it->cell = NULL;
    }
    __atomic_store_n(&it->object, object, __ATOMIC_RELEASE);
    return it;
}

static __attribute__((noinline)) struct cs_synchronization *begin(uint32_t object)
{
    CS_KEEP_ERRNO;
    pthread_mutex_lock(&lock);
    struct cs_synchronization *it = begin_locked(object);
    pthread_mutex_unlock(&lock);
    return it;
}

static inline struct cs_synchronization *of(struct cs_thread *thread, uint32_t object)
{
    struct cs_synchronization *it = thread->synchronization;
    if (__builtin_expect(it && __atomic_load_n(&it->object, __ATOMIC_RELAXED) == object, 1))
        return it;
    return thread->synchronization = find(object);
}

void cs_synchronization_enter(struct cs_thread *thread, uint32_t object)
{
    struct cs_synchronization *it = of(thread, object);
    if (__builtin_expect(!it, 0))
        it = thread->synchronization = begin(object);
    if (!it)
        return;
    it->ended |= it->inside;
    it->inside = true;
}

/* The cell that a dead communicator left, or a new one. */
static void take_cell(struct cs_synchronization *it)
{
    CS_KEEP_ERRNO;
    pthread_mutex_lock(&lock);
    if (it->cell) {
        __atomic_store_n(&it->cell->object, 0, __ATOMIC_RELEASE);
        for (int i = 0; i < CS_SYNCHRONIZATION_LAST; i++)
            __atomic_store_n(&it->cell->last[i].nth, 0, __ATOMIC_RELEASE);
    } else {
        it->cell = cs_cells_append(&cells, 0, CS_BLOCK_SYNCHRONIZATION, sizeof *it->cell);
    }
    if (it->cell)
        __atomic_store_n(&it->cell->object, it->object, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
}

/* Rare: the 1st, 2nd, 4th, 8th, ... call. */
static __attribute__((noinline)) void keep(struct cs_synchronization *it, const struct cs_synchronization_point *point)
{
    if (!it->early && point->nth < LATE)
        return;
    if (point->nth == (it->early ? FIRST_CELL : LATE))
        take_cell(it);
    struct cs_fact_synchronization fact = {.object = it->object, .point = *point};
    cs_journal_append(cs_recorder.journal, CS_FACT_SYNCHRONIZATION, &fact.fact, sizeof fact, NULL, 0);
}

void cs_synchronization_leave(struct cs_thread *thread, uint32_t object, struct cs_synchronization_span span)
{
    struct cs_synchronization *it = of(thread, object);
    if (!it || !it->inside || it->ended)
        return;
    it->inside = false;
    uint64_t nth = ++it->calls;
    struct cs_synchronization_cell *cell = it->cell;
    if (cell && cell->object == object) {
        struct cs_synchronization_point *point = &cell->last[nth % CS_SYNCHRONIZATION_LAST];
        __atomic_store_n(&point->nth, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&point->entered_ticks, span.entered, __ATOMIC_RELEASE);
        __atomic_store_n(&point->left_ticks, span.left, __ATOMIC_RELEASE);
        __atomic_store_n(&point->nth, nth, __ATOMIC_RELEASE);
    }
    if (__builtin_expect((nth & (nth - 1)) == 0, 0))
        keep(it, &(struct cs_synchronization_point){nth, span.entered, span.left});
}

void cs_synchronization_pass(struct cs_thread *thread, uint32_t object)
{
    struct cs_synchronization *it = of(thread, object);
    if (it)
        it->inside = false;
}

void cs_synchronization_end(uint32_t object)
{
    struct cs_synchronization *it = find(object);
    if (it)
        __atomic_store_n(&it->object, 0, __ATOMIC_RELEASE);
}

void cs_synchronization_forget(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
