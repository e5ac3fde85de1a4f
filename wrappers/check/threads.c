#include "wrappers/check/threads.h"

#include <stdatomic.h>

#include "base/guard.h"
#include "callsign/debug.h"
#include "functions.h"
#include "pmpi_queries.h"
#include "record/process/run_folder.h"
#include "wrappers/call/misuse.h"
#include "wrappers/mpi/answers.h"

/* The level that the MPI provides; MPI_THREAD_MULTIPLE until it is known. Without MPI_Init each session has a level of
   its own, and there is no main thread: Open MPI 5 crashes if asked (MPI 4.1, 11.6.2). */
static int level_now(void)
{
    static _Atomic int known = -1;
    int level = atomic_load_explicit(&known, memory_order_relaxed);
    if (!cs_recorder_has_world())
        return MPI_THREAD_MULTIPLE;
    if (level < 0) {
        if (cs_mpi_Query_thread(&level) != MPI_SUCCESS || level < 0)
            level = MPI_THREAD_MULTIPLE;
        atomic_store_explicit(&known, level, memory_order_relaxed);
    }
    return level;
}

static bool is_collective(uint16_t number)
{
    const struct cs_function *function = cs_function_find(number);
    return function && function->collective && function->wait && strcmp(function->class, "collective") == 0;
}

/* Each thread may call these at any level (MPI 4.1, 11.6.2). */
static bool is_for_any_thread(uint16_t function)
{
    return function == CS_MPI_Initialized || function == CS_MPI_Finalized || function == CS_MPI_Is_thread_main ||
           function == CS_MPI_Query_thread;
}

/* Function, activity and object of another thread's call, which it stores as one word. */
static void look_at(struct cs_call *call, const struct cs_thread *other, int level)
{
    uint64_t word;
    const char *at = (const char *)other->state + offsetof(struct cs_thread_state, function);
    word = __atomic_load_n((const uint64_t *)(const void *)at, __ATOMIC_ACQUIRE);
    if (((word >> 16) & 0xffff) != CS_THREAD_INSIDE)
        return;
    if (call->about && (uint32_t)(word >> 32) == call->about && is_collective((uint16_t)word) &&
        is_collective(call->function))
        cs_misuse_note(call, CS_MISUSE_CONCURRENT_COLLECTIVES, 0, 0);
    else if (level == MPI_THREAD_SERIALIZED && !is_for_any_thread(call->function) && !is_for_any_thread((uint16_t)word))
        cs_misuse_note(call, CS_MISUSE_CONCURRENT_CALLS, 0, 0);
}

_Atomic uint32_t cs_allowed_thread; /* 0: none yet */

/* Never inlined: each checked call would save the registers that only this needs. */
__attribute__((noinline)) void cs_check_several_threads(struct cs_call *call)
{
    const struct cs_thread *first =
        (const struct cs_thread *)(uintptr_t)__atomic_load_n(&callsign_debug.threads, __ATOMIC_ACQUIRE);
    const bool alone = !cs_is_shared() || (first == call->thread && !first->older);
    int level, main_thread = 1;
    if (alone && atomic_load_explicit(&cs_allowed_thread, memory_order_relaxed) == call->thread->tid)
        return;
    if (call->thread->depth != 1 || !cs_mpi_answers())
        return;
    level = level_now();
    if (level < MPI_THREAD_SERIALIZED && cs_mpi_Is_thread_main(&main_thread) == MPI_SUCCESS && !main_thread &&
        !is_for_any_thread(call->function))
        cs_misuse_note(call, CS_MISUSE_THREAD_LEVEL, 0, 0);
    else if (alone && cs_recorder_has_world())
        atomic_store_explicit(&cs_allowed_thread, call->thread->tid, memory_order_relaxed);
    for (const struct cs_thread *thread = first; thread; thread = thread->older)
        if (thread != call->thread)
            look_at(call, thread, level);
}

/* ---- messages between a probe and its receive ---- */

enum { PROBES_MOST = 64 };

/* The last message that a thread has probed and not received. Messages of one source and tag are received in order: the
   next receive of these takes it, whichever thread makes it. */
static struct probe {
    const struct cs_thread *thread;
    uint32_t tid, comm;
    int32_t source, tag;
    uint64_t taken_at; /* call site of the receive of another thread; 0: not yet */
} probes[PROBES_MOST];
static _Atomic int probes_count; /* changed with the lock */
static struct cs_lock probes_lock;

bool cs_check_has_probes(void)
{
    return atomic_load_explicit(&probes_count, memory_order_relaxed) > 0;
}

/* With the lock. */
static void forget_probe(int at)
{
    probes[at] = probes[probes_count - 1];
    atomic_store_explicit(&probes_count, probes_count - 1, memory_order_relaxed);
}

void cs_check_probed(struct cs_call *call, const MPI_Status *status)
{
    if (!cs_is_checked(call) || !cs_is_parallel() || !call->about || status->MPI_SOURCE < 0)
        return;
    struct probe probe = {.thread = call->thread,
                          .tid = call->thread->tid,
                          .comm = call->about,
                          .source = status->MPI_SOURCE,
                          .tag = status->MPI_TAG};
    const bool locked = cs_guard_enter(&probes_lock);
    int count = probes_count, at = 0;
    while (at < count && probes[at].thread != call->thread)
        at++;
    if (at < PROBES_MOST)
        probes[at] = probe;
    if (at == count && at < PROBES_MOST)
        atomic_store_explicit(&probes_count, count + 1, memory_order_relaxed);
    cs_guard_leave(&probes_lock, locked);
}

void cs_check_own_start(const struct cs_call *call)
{
    if (!cs_check_has_probes())
        return;
    const bool locked = cs_guard_enter(&probes_lock);
    for (int i = probes_count; i-- > 0;)
        if (probes[i].thread == call->thread)
            forget_probe(i);
    cs_guard_leave(&probes_lock, locked);
}

void cs_checks_probed(struct cs_call *call, int source, int tag)
{
    uint64_t taken_at = 0;
    if (!cs_check_has_probes() || !call->about)
        return;
    const bool locked = cs_guard_enter(&probes_lock);
    for (int i = probes_count; i-- > 0;) {
        struct probe *it = &probes[i];
        bool same = it->comm == call->about && it->source == source && it->tag == tag;
        if (it->thread != call->thread) {
            if (same && !it->taken_at)
                it->taken_at = call->innermost;
        } else if (it->comm == call->about) {
            taken_at = same && it->tid == call->thread->tid ? it->taken_at : 0;
            forget_probe(i);
        }
    }
    cs_guard_leave(&probes_lock, locked);
    if (taken_at)
        cs_misuse_note(call, CS_MISUSE_STOLEN_MESSAGE, 0, taken_at);
}
