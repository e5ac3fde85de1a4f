/* Data that calls of the MPI share. As long as a single thread has called the MPI, as in most programs, it enters
   without the lock: two locked instructions take longer than most work behind them. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/lock.h"

/* Whether several threads have called the MPI, which does not end. */
enum { CS_GUARDS_ALONE, CS_GUARDS_AWAITED /* the first thread may still be inside without a lock */, CS_GUARDS_SHARED };
extern _Atomic uint8_t cs_guards_state __attribute__((visibility("hidden")));

/* How often the only thread is inside without a lock. */
extern _Atomic uint32_t cs_guards_entered __attribute__((visibility("hidden")));

static inline bool cs_is_shared(void)
{
    return atomic_load_explicit(&cs_guards_state, memory_order_relaxed) != CS_GUARDS_ALONE;
}

/* Enters without a lock if the thread is alone. It is alone until it leaves by cs_guard_leave_alone, because
   cs_guards_share waits for that. Returns false, and does not enter, if other threads call the MPI, too. */
static inline __attribute__((always_inline)) bool cs_guard_enter_alone(void)
{
    if (__builtin_expect(cs_is_shared(), 0))
        return false;
    uint32_t entered = atomic_load_explicit(&cs_guards_entered, memory_order_relaxed);
    atomic_store_explicit(&cs_guards_entered, entered + 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst); /* cs_guards_share does the processor's part */
    if (__builtin_expect(!cs_is_shared(), 1))
        return true;
    atomic_store_explicit(&cs_guards_entered, entered, memory_order_release);
    return false;
}

static inline __attribute__((always_inline)) void cs_guard_leave_alone(void)
{
    uint32_t entered = atomic_load_explicit(&cs_guards_entered, memory_order_relaxed);
    atomic_store_explicit(&cs_guards_entered, entered - 1, memory_order_release);
}

/* Enters, and takes the lock if other threads call the MPI, too. Returns whether it took the lock, for cs_guard_leave.
   Whoever has taken it calls neither the MPI nor the program. */
static inline __attribute__((always_inline)) bool cs_guard_enter(struct cs_lock *lock)
{
    if (__builtin_expect(cs_guard_enter_alone(), 1))
        return false;
    cs_lock_take(lock);
    return true;
}

static inline __attribute__((always_inline)) void cs_guard_leave(struct cs_lock *lock, bool locked)
{
    if (__builtin_expect(locked, 0))
        cs_lock_give(lock);
    else
        cs_guard_leave_alone();
}

/* Another thread is about to call the MPI. When it returns, no thread is inside without a lock, nor will be. */
void cs_guards_share(void);

/* In a forked child. */
void cs_guards_forget(void);
