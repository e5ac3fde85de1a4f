/* A thread that waits polls without end. In programs that have this it pauses instead, because several ranks share a
   processor in tests. Open MPI yields the processor whenever a poll finds nothing (mpi_yield_when_idle, see
   harness.py), MPICH by yielding.c. */
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define POLLS_MOST  100            /* in a row, without a pause */
#define PROGRESS_NS INT64_C(20000) /* so much time between two polls: the thread did something else */
#define PAUSE_NS    INT64_C(200000)

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

/* In place of the C library's. */
__attribute__((visibility("default"))) int sched_yield(void)
{
    static _Thread_local unsigned polls;
    static _Thread_local int64_t last_ns;
    int saved = errno;
    polls = now_ns() - last_ns < PROGRESS_NS ? polls + 1 : 0;
    if (polls > POLLS_MOST)
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    else
        syscall(SYS_sched_yield);
    last_ns = now_ns();
    errno = saved;
    return 0;
}
