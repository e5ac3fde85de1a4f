#include "record/collective.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/keep_errno.h"
#include "db/journal/format.h"
#include "record/cells.h"
#include "record/recorder.h"
#include "record/thread.h"

enum { CHAINS = 1024 /* of counts, by id of the object */ };

/* Never freed, and never moved to another chain: readers of a chain need no lock. */
struct cs_collective_count {
    uint32_t object; /* atomic; 0: of none, to be used again */
    struct cs_collective_cell *cell;
    struct cs_collective_count *next; /* in its chain */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cs_collective_count *chains[CHAINS];
static struct cs_cells cells;

/* The rare parts are not inline: their registers would be saved at each call. */
static __attribute__((noinline)) struct cs_collective_count *find(uint32_t object)
{
    struct cs_collective_count *it = __atomic_load_n(&chains[object % CHAINS], __ATOMIC_ACQUIRE);
    while (it && __atomic_load_n(&it->object, __ATOMIC_ACQUIRE) != object)
        it = it->next;
    return it;
}

/* One that a dead object left in the chain, or a new one; both have a cell. */
static struct cs_collective_count *take(struct cs_collective_count **chain)
{
    for (struct cs_collective_count *it = *chain; it; it = it->next)
        if (!it->object)
            return it;
    struct cs_collective_count *it = calloc(1, sizeof *it);
    if (it)
        it->cell = cs_cells_append(&cells, 0, CS_BLOCK_COLLECTIVE, sizeof *it->cell);
    if (!it || !it->cell) {
        free(it);
        return NULL;
    }
    it->next = *chain;
    __atomic_store_n(chain, it, __ATOMIC_RELEASE);
    return it;
}

static __attribute__((noinline)) struct cs_collective_count *add(uint32_t object)
{
    CS_KEEP_ERRNO;
    pthread_mutex_lock(&lock);
    struct cs_collective_count *it = find(object);
    if (!it && (it = take(&chains[object % CHAINS]))) {
        it->cell->begun = 0;
        __atomic_store_n(&it->cell->object, object, __ATOMIC_RELEASE);
        __atomic_store_n(&it->object, object, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    return it;
}

static inline struct cs_collective_count *count_of(struct cs_thread *thread, uint32_t object, bool last)
{
    struct cs_collective_count *it = thread->collective;
    if (__builtin_expect(it && __atomic_load_n(&it->object, __ATOMIC_RELAXED) == object, 1))
        return it;
    it = find(object);
    if (!it && !last)
        it = add(object);
    return it ? thread->collective = it : NULL;
}

uint32_t cs_collective_begin(struct cs_thread *thread, uint32_t object, uint16_t function, int32_t root, bool last)
{
    struct cs_collective_count *it = count_of(thread, object, last);
    if (__builtin_expect(!it, 0))
        return last;
    struct cs_collective_cell *cell = it->cell;
    cell->function = function;
    cell->root = root;
    if (__builtin_expect(cs_is_parallel(), 0))
        return __atomic_add_fetch(&cell->begun, 1, __ATOMIC_RELEASE);
    uint32_t number = cell->begun + 1;
    __atomic_store_n(&cell->begun, number, __ATOMIC_RELEASE);
    return number;
}

void cs_collective_end(uint32_t object)
{
    struct cs_collective_count *it = find(object);
    if (!it)
        return;
    __atomic_store_n(&it->cell->object, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&it->object, 0, __ATOMIC_RELEASE);
}

void cs_collective_forget(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
