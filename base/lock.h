/* A lock for short work on hot paths. To take and give back a free one takes 10 instructions; a mutex of the C library
   takes 57. All zero is free; so is the lock of a forked child that sets it to zero. It is not recursive. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#define CS_LOCK_TELL(event) (event)
#else
#define CS_LOCK_TELL(event) ((void)0)
#endif

enum { CS_LOCK_FREE, CS_LOCK_TAKEN, CS_LOCK_AWAITED /* taken, and threads may sleep until it is free */ };

struct cs_lock {
    _Atomic uint32_t state;
};

/* Sleeps until the lock is free, and takes it. */
void cs_lock_wait(struct cs_lock *lock);

/* Wakes one of the threads that sleep. */
void cs_lock_wake(struct cs_lock *lock);

static inline void cs_lock_take(struct cs_lock *lock)
{
    uint32_t free = CS_LOCK_FREE;
    CS_LOCK_TELL(__tsan_mutex_pre_lock(lock, 0));
    if (__builtin_expect(!atomic_compare_exchange_strong_explicit(&lock->state, &free, CS_LOCK_TAKEN,
                                                                  memory_order_acquire, memory_order_relaxed),
                         0))
        cs_lock_wait(lock);
    CS_LOCK_TELL(__tsan_mutex_post_lock(lock, 0, 0));
}

static inline void cs_lock_give(struct cs_lock *lock)
{
    CS_LOCK_TELL(__tsan_mutex_pre_unlock(lock, 0));
    if (__builtin_expect(atomic_exchange_explicit(&lock->state, CS_LOCK_FREE, memory_order_release) == CS_LOCK_AWAITED,
                         0))
        cs_lock_wake(lock);
    CS_LOCK_TELL(__tsan_mutex_post_unlock(lock, 0));
}
