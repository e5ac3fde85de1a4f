#include "record/call/thread_life.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/guard.h"
#include "base/keep_errno.h"
#include "journal/writer.h"
#include "record/call/clock_calls.h"
#include "record/call/course.h"
#include "record/call/placement.h"
#include "record/call/profile.h"
#include "record/call/ring.h"
#include "record/call/stretch.h"
#include "record/object/object.h"
#include "record/process/recorder.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct cs_thread *idle; /* states of threads that have ended */
static uint32_t numbers;
static bool begun; /* a thread was the first */
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key; /* the program may have used up all keys */

/* For calls inside the outermost one, only their counted flags are kept. */
void cs_thread_abandon(struct cs_thread *thread)
{
    struct cs_thread_state *state = thread->state;
    thread->depth--;
    cs_thread_detour(thread);
    /* An error handler jumped out of a failed free. If the object is gone after all, the handle's next owner ends
       it. */
    if (thread->depth < CS_DEPTH_MAX && thread->freeing[thread->depth]) {
        cs_object_relink(thread->freeing[thread->depth]);
        thread->freeing[thread->depth] = NULL;
    }
    state->inner.function = 0;
    if (thread->depth > 0) {
        if (thread->depth < CS_DEPTH_MAX && thread->counted & 1u << thread->depth)
            cs_journal_count_loss(cs_recorder.journal);
        return;
    }
    thread->nested_ticks[1] = 0;
    __atomic_store_n(&state->doing, CS_THREAD_OUTSIDE, __ATOMIC_RELAXED);
    state->calls++;
    /* It ended at an unknown time: the code since then is not known, either. */
    thread->last_ticks = cs_clock_ticks();
    thread->last_site = 0;
    thread->last_function = 0;
    thread->step = &thread->no_step;
    if (!cs_is_paused())
        cs_profile_add_abandoned(thread, cs_profile_key(state->site, state->object, state->function, 0));
}

static void thread_end(void *argument)
{
    struct cs_thread *thread = argument;
    cs_thread_self = NULL;
    if (cs_is_recording()) { /* otherwise the trace is finished, or this is a forked child with its parent's state */
        while (thread->depth)
            cs_thread_abandon(thread);
        cs_clock_calls_add_kept(thread);
        cs_stretch_end(thread);
        cs_cpu_end(thread);
        uint64_t now = cs_clock_ticks();
        if (now > thread->state->began_ticks)
            thread->state->lived_ticks += now - thread->state->began_ticks;
        __atomic_store_n(&thread->state->doing, CS_THREAD_ENDED, __ATOMIC_RELAXED);
        thread->ended = 1;
    }
    thread->depth = 0;
    memset(thread->freeing, 0, sizeof thread->freeing);
    pthread_mutex_lock(&lock);
    thread->next = idle;
    idle = thread;
    pthread_mutex_unlock(&lock);
}

/* A process has 1,024 keys. The last ones are for the program and its libraries. */
static void make_key(void)
{
    enum { LEFT_TO_OTHERS = 32 };
    pthread_key_t others[LEFT_TO_OTHERS];
    int left = 0;
    has_key = pthread_key_create(&key, thread_end) == 0;
    while (left < LEFT_TO_OTHERS && pthread_key_create(&others[left], NULL) == 0)
        left++;
    for (int i = 0; i < left; i++)
        pthread_key_delete(others[i]);
    if (has_key && left < LEFT_TO_OTHERS) {
        pthread_key_delete(key);
        has_key = false;
    }
}

/* glibc's function for the destructors of C++ needs no key. It would also run for the main thread, in exit, before
   handlers of the program that may call MPI. */
extern int __cxa_thread_atexit_impl(void (*end)(void *), void *argument, void *library) __attribute__((weak));
extern void *__dso_handle __attribute__((visibility("hidden")));

static void call_at_end(struct cs_thread *thread)
{
    if (has_key && pthread_setspecific(key, thread) == 0)
        return;
    if (__cxa_thread_atexit_impl && thread->tid != (uint32_t)getpid())
        __cxa_thread_atexit_impl(thread_end, thread, &__dso_handle);
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
    if (cs_journal_add_block(cs_recorder.journal, CS_BLOCK_THREAD, number, sizeof *thread->state,
                             sizeof *block + sizeof *thread->state, &block) != CS_OK) {
        free(thread);
        return NULL;
    }
    thread->state = (struct cs_thread_state *)(block + 1);
    thread->state->thread = thread->number = number;
    cs_steps_forget(thread);
    cs_publish(block->used, 1);
    return thread;
}

/* Adds a new thread to the list that debuggers read. */
static void show_thread(struct cs_thread *thread)
{
    uint64_t former = __atomic_load_n(&callsign_debug.threads, __ATOMIC_RELAXED);
    do
        thread->older = (struct cs_thread *)(uintptr_t)former;
    while (!__atomic_compare_exchange_n(&callsign_debug.threads, &former, (uint64_t)(uintptr_t)thread, false,
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

struct cs_thread *cs_thread_begin(void)
{
    CS_KEEP_ERRNO;
    if (!cs_is_recording())
        return NULL;
    pthread_once(&key_once, make_key);
    pthread_mutex_lock(&lock);
    const bool first = !begun;
    begun = true;
    struct cs_thread *thread = idle;
    if (thread)
        idle = thread->next;
    pthread_mutex_unlock(&lock);
    if (!first)
        cs_guards_share();
    if (!thread) {
        thread = thread_new();
        if (!thread) {
            cs_journal_count_loss(cs_recorder.journal);
            return NULL;
        }
        show_thread(thread);
    }
    thread->state->tid = thread->tid = (uint32_t)syscall(SYS_gettid);
    thread->ended = 0;
    thread->state->began_ticks = first ? cs_journal_header(cs_recorder.journal)->first.ticks : cs_clock_ticks();
    thread->state->threads++;
    thread->stack_bytes = 0;
    cs_cpu_begin(thread);
    cs_ring_begin(thread);
    cs_course_begin(thread);
    cs_stretch_begin(thread);
    call_at_end(thread);
    cs_thread_self = thread;
    return thread;
}

void cs_thread_forget(void)
{
    lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    idle = NULL;
    cs_thread_self = NULL;
}
