#include "record/thread.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/keep_errno.h"
#include "record/object.h"
#include "record/profile.h"
#include "record/recorder.h"

enum { FIRST_SLOTS = 128, LARGEST_BLOCK = 1 << 20 };

__thread struct cs_thread *cs_thread_self __attribute__((tls_model("initial-exec")));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cs_thread *idle; /* of threads that have ended */
static uint32_t numbers;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

/* Of the calls inside the outermost one nothing is kept but whether they count. */
void cs_thread_leave(struct cs_thread *thread)
{
    struct cs_thread_state *state = thread->state;
    thread->depth--;
    /* An error handler that jumps out of a free that failed. Should it be gone: the handle's next owner ends it. */
    if (thread->depth < CS_DEPTH_MAX && thread->freeing[thread->depth]) {
        cs_object_relink(thread->freeing[thread->depth]);
        thread->freeing[thread->depth] = NULL;
    }
    if (thread->depth > 0) {
        if (thread->depth < CS_DEPTH_MAX && thread->counted & 1u << thread->depth)
            cs_journal_lose(cs_recorder.journal);
        return;
    }
    state->doing = CS_THREAD_OUTSIDE;
    state->calls++;
    if (!cs_recorder.paused)
        cs_profile_left(thread, cs_profile_key(state->site, state->object, state->function, 0));
}

static void thread_end(void *argument)
{
    struct cs_thread *thread = argument;
    cs_thread_self = NULL;
    if (cs_recorder.on) { /* else the trace is made, or this is a forked child and the state its parent's */
        while (thread->depth)
            cs_thread_leave(thread);
        thread->state->doing = CS_THREAD_ENDED;
    }
    thread->depth = 0;
    memset(thread->freeing, 0, sizeof thread->freeing);
    pthread_mutex_lock(&lock);
    thread->next = idle;
    idle = thread;
    pthread_mutex_unlock(&lock);
}

static void make_key(void)
{
    pthread_key_create(&key, thread_end);
}

static struct cs_thread *thread_new(void)
{
    struct cs_thread *thread = calloc(1, sizeof *thread);
    if (!thread)
        return NULL;
    pthread_mutex_lock(&lock);
    uint32_t number = numbers++;
    pthread_mutex_unlock(&lock);
    struct cs_block *block;
    if (cs_journal_block(cs_recorder.journal, CS_BLOCK_THREAD, number, sizeof *thread->state,
                         sizeof *block + sizeof *thread->state, &block) != CS_OK) {
        free(thread);
        return NULL;
    }
    thread->state = (struct cs_thread_state *)(block + 1);
    thread->state->thread = number;
    __atomic_store_n(&block->used, 1, __ATOMIC_RELEASE);
    return thread;
}

struct cs_thread *cs_thread_begin(void)
{
    CS_KEEP_ERRNO;
    if (!cs_recorder.on)
        return NULL;
    pthread_once(&key_once, make_key);
    pthread_mutex_lock(&lock);
    struct cs_thread *thread = idle;
    if (thread)
        idle = thread->next;
    pthread_mutex_unlock(&lock);
    if (!thread)
        thread = thread_new();
    if (!thread) {
        cs_journal_lose(cs_recorder.journal);
        return NULL;
    }
    thread->state->tid = (uint32_t)syscall(SYS_gettid);
    thread->state->threads++;
    thread->stack_bytes = 0;
    pthread_setspecific(key, thread);
    cs_thread_self = thread;
    return thread;
}

void *cs_thread_scratch(struct cs_thread *thread, unsigned place, size_t bytes)
{
    if (place >= CS_SCRATCHES)
        return NULL;
    if (thread->scratch_bytes[place] < bytes) {
        CS_KEEP_ERRNO;
        size_t wanted = bytes < 1024 ? 1024 : 2 * bytes;
        void *grown = realloc(thread->scratch[place], wanted);
        if (!grown)
            return NULL;
        thread->scratch[place] = grown;
        thread->scratch_bytes[place] = wanted;
    }
    return thread->scratch[place];
}

/* Without memory for the list the block stays mapped, which is no harm. */
static void note_full(struct cs_cells *cells)
{
    size_t count = cells->full_count;
    if ((count & (count - 1)) == 0) {
        struct cs_block **grown = realloc(cells->full, (count ? 2 * count : 1) * sizeof *grown);
        if (!grown)
            return;
        cells->full = grown;
    }
    cells->full[cells->full_count++] = cells->block;
}

void *cs_cells_new(struct cs_thread *thread, struct cs_cells *cells, enum cs_block_type type, uint32_t item_bytes)
{
    struct cs_block *block = cells->block;
    if (!block || sizeof *block + (block->used + 1) * item_bytes > block->bytes) {
        size_t bytes = block ? 2 * block->bytes : CS_JOURNAL_PAGE;
        if (bytes > LARGEST_BLOCK)
            bytes = LARGEST_BLOCK;
        if (cs_journal_block(cs_recorder.journal, type, thread->state->thread, item_bytes, bytes, &block) != CS_OK) {
            cs_journal_lose(cs_recorder.journal);
            return NULL;
        }
        if (cells->block)
            note_full(cells);
        cells->block = block;
    }
    void *cell = (char *)(block + 1) + block->used * item_bytes;
    __atomic_store_n(&block->used, block->used + 1, __ATOMIC_RELEASE);
    cs_journal_count(cs_recorder.journal);
    cells->count++;
    return cell;
}

int cs_cells_make_room(struct cs_cells *cells, uint64_t (*hash)(const void *cell))
{
    if (cells->index && cells->count * 2 < cells->mask)
        return 1;
    CS_KEEP_ERRNO;
    uint64_t slots = cells->index ? 2 * (cells->mask + 1) : FIRST_SLOTS;
    void **index = calloc(slots, sizeof *index);
    if (!index)
        return 0;
    for (uint64_t i = 0; cells->index && i <= cells->mask; i++) {
        if (!cells->index[i])
            continue;
        uint64_t slot = hash(cells->index[i]) & (slots - 1);
        while (index[slot])
            slot = (slot + 1) & (slots - 1);
        index[slot] = cells->index[i];
    }
    free(cells->index);
    cells->index = index;
    cells->mask = slots - 1;
    return 1;
}

void cs_cells_leave(struct cs_cells *cells)
{
    if (!cs_journal_in_file(cs_recorder.journal))
        return;
    for (size_t i = 0; i < cells->full_count; i++)
        cs_journal_leave(cells->full[i]);
    if (cells->block)
        cs_journal_leave(cells->block);
    free(cells->full);
    free(cells->index);
    *cells = (struct cs_cells){.look = cells->look};
}

void cs_thread_forget(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    idle = NULL;
    cs_thread_self = NULL;
}
