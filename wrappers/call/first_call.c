#include "wrappers/call/first_call.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/keep_errno.h"
#include "base/shared_library.h"
#include "base/uncancelled.h"
#include "record/call/thread_life.h"
#include "record/process/thread.h"
#include "record/recording.h"
#include "whole_mpi.h"
#include "wrappers/fallback/emulation.h"
#include "wrappers/mpi/find.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The linker defines the bounds of the section. */
extern void (*const __start_cs_at_first_call[])(void) __attribute__((visibility("hidden")));
extern void (*const __stop_cs_at_first_call[])(void) __attribute__((visibility("hidden")));

static void start(void)
{
    cs_find_functions();
    cs_library_is_mpi(CS_MPI_SONAME);
    bool records = cs_recorder_start(sizeof(MPI_Comm), CS_FLAVOUR);
    cs_fallback_install();
    if (!records)
        return;
    if (cs_fallback_list_families()[0])
        cs_process_note_emulated(cs_fallback_list_families());
    for (void (*const *function)(void) = __start_cs_at_first_call; function < __stop_cs_at_first_call; function++)
        (*function)();
}

/* The thread that is in cs_first_call_of_thread; 0: none. Of several, the last one to begin. */
static _Atomic(pid_t) beginner;

bool cs_is_first_call_running(void)
{
    pid_t thread = atomic_load_explicit(&beginner, memory_order_relaxed);
    return thread && thread == (pid_t)syscall(SYS_gettid);
}

struct cs_thread *cs_first_call_of_thread(void)
{
    CS_UNCANCELLED;
    CS_KEEP_ERRNO;
    atomic_store_explicit(&beginner, (pid_t)syscall(SYS_gettid), memory_order_relaxed);
    pthread_once(&once, start);
    struct cs_thread *thread = cs_thread_self ? cs_thread_self : cs_thread_begin(); /* `start` may have made it */
    atomic_store_explicit(&beginner, 0, memory_order_relaxed);
    return thread;
}
