#include "wrappers/check/threads.h"

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
    else if (level == MPI_THREAD_SERIALIZED)
        cs_misuse_note(call, CS_MISUSE_CONCURRENT_CALLS, 0, 0);
}

void cs_check_threads(struct cs_call *call)
{
    int level, main_thread = 1;
    if (call->thread->depth != 1 || !cs_mpi_answers())
        return;
    level = level_now();
    if (level < MPI_THREAD_SERIALIZED && cs_mpi_Is_thread_main(&main_thread) == MPI_SUCCESS && !main_thread)
        cs_misuse_note(call, CS_MISUSE_THREAD_LEVEL, 0, 0);
    const struct cs_thread *thread =
        (const struct cs_thread *)(uintptr_t)__atomic_load_n(&callsign_debug.threads, __ATOMIC_ACQUIRE);
    for (; thread; thread = thread->older)
        if (thread != call->thread)
            look_at(call, thread, level);
}
