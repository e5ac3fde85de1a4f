/* The clock of the hot path: the processor's counter if it is invariant, else clock_gettime. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Journals store these numbers: never change one. */
enum cs_clock_kind { CS_CLOCK_MONOTONIC = 1, CS_CLOCK_TSC, CS_CLOCK_CNTVCT };

/* One instant on all three clocks. */
struct cs_clock_pair {
    uint64_t ticks;
    uint64_t monotonic_ns;
    uint64_t realtime_ns; /* since 1970-01-01 UTC */
};

/* True when cs_clock_ticks reads the processor's counter. Set once, by cs_clock_choose. */
extern bool cs_clock_counter __attribute__((visibility("hidden")));

static inline uint64_t cs_clock_monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The processor's counter, for callers who know that it is used. */
static inline uint64_t cs_clock_counter_ticks(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc(); /* <x86intrin.h> would cost each file nine tenths of its compile time */
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return 0;
#endif
}

static inline uint64_t cs_clock_ticks(void)
{
    return __builtin_expect(cs_clock_counter, 1) ? cs_clock_counter_ticks() : cs_clock_monotonic_ns();
}

/* Chooses the clock: the counter if it is invariant and the kernel trusts it, unless monotonic is true. Returns the
   kind. *ticks_per_second is the exact rate, or 0 if it must be derived from two pairs. */
enum cs_clock_kind cs_clock_choose(bool monotonic, uint64_t *ticks_per_second);

/* Reads all three clocks. */
struct cs_clock_pair cs_clock_pair(void);

/* About so many ticks pass in so many nanoseconds. ticks_per_second 0: unknown, as for a counter of 2 GHz. */
uint64_t cs_clock_ticks_in(uint64_t ticks_per_second, uint64_t ns);

/* Nanoseconds per tick, derived from two pairs, or from ticks_per_second if that is not 0. */
double cs_clock_ns_per_tick(uint64_t ticks_per_second, const struct cs_clock_pair *first,
                            const struct cs_clock_pair *last);
