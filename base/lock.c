#include "base/lock.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/keep_errno.h"

void cs_lock_wait(struct cs_lock *lock)
{
    CS_KEEP_ERRNO;
    /* Who wakes cannot know whether others still sleep, so each takes the lock as one that is awaited. */
    while (atomic_exchange_explicit(&lock->state, CS_LOCK_AWAITED, memory_order_acquire) != CS_LOCK_FREE)
        syscall(SYS_futex, &lock->state, FUTEX_WAIT_PRIVATE, CS_LOCK_AWAITED, NULL);
}

void cs_lock_wake(struct cs_lock *lock)
{
    CS_KEEP_ERRNO;
    syscall(SYS_futex, &lock->state, FUTEX_WAKE_PRIVATE, 1);
}
