#include "record/window_lock.h"

#include <pthread.h>

#include "db/journal/writer.h"
#include "db/journal/format.h"
#include "record/recorder.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* taken only when threads may call MPI at once */
static struct cs_block *block;
static uint64_t latest; /* place of the lock that was taken last */

static bool enter(void)
{
    bool locked = cs_is_parallel();
    if (locked)
        pthread_mutex_lock(&lock);
    return locked;
}

static void leave(bool locked)
{
    if (locked)
        pthread_mutex_unlock(&lock);
}

/* One page of cells: who holds more locks at once has the others counted as lost. */
static bool make_block(void)
{
    return block || cs_journal_block(cs_recorder.journal, CS_BLOCK_LOCK, 0, sizeof(struct cs_lock_cell),
                                     CS_JOURNAL_PAGE, &block) == CS_OK;
}

/* A cell with this lock; object 0: a free one. NULL: there is none. */
static struct cs_lock_cell *find(uint32_t object, int32_t target)
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
    __atomic_store_n(&block->used, block->used + 1, __ATOMIC_RELEASE);
    return &cells[latest];
}

void cs_window_lock_taken(uint32_t window, int32_t target, bool exclusive)
{
    if (!window)
        return;
    bool locked = enter();
    struct cs_lock_cell *cell = make_block() ? find(0, 0) : NULL;
    if (cell) {
        cell->target = target;
        cell->exclusive = exclusive;
        __atomic_store_n(&cell->object, window, __ATOMIC_RELEASE);
    } else {
        cs_journal_lose(cs_recorder.journal);
    }
    leave(locked);
}

void cs_window_lock_released(uint32_t window, int32_t target)
{
    bool locked = enter();
    struct cs_lock_cell *cell = block && window ? find(window, target) : NULL;
    if (cell)
        __atomic_store_n(&cell->object, 0, __ATOMIC_RELEASE);
    leave(locked);
}

void cs_window_lock_forget(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}
