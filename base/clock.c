#include "base/clock.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

bool cs_clock_counter;

#if defined(__x86_64__)
/* The kernel checks the processors' counters against another clock. If it rejected the TSC, callsign does too. */
static bool kernel_trusts_tsc(void)
{
    char text[16] = "";
    int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    return length >= 3 && strncmp(text, "tsc", 3) == 0;
}

static bool tsc_is_invariant(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
}
#endif

enum cs_clock_kind cs_clock_choose(bool monotonic, uint64_t *ticks_per_second)
{
    *ticks_per_second = 1000000000u;
    cs_clock_counter = false;
    if (monotonic)
        return CS_CLOCK_MONOTONIC;
#if defined(__x86_64__)
    if (tsc_is_invariant() && kernel_trusts_tsc()) {
        cs_clock_counter = true;
        *ticks_per_second = 0;
        return CS_CLOCK_TSC;
    }
#elif defined(__aarch64__)
    uint64_t frequency;
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
    cs_clock_counter = true;
    *ticks_per_second = frequency;
    return CS_CLOCK_CNTVCT;
#endif
    return CS_CLOCK_MONOTONIC;
}

uint64_t cs_clock_ticks_in(uint64_t ticks_per_second, uint64_t ns)
{
    return ticks_per_second ? (uint64_t)((double)ticks_per_second * 1e-9 * (double)ns) : 2 * ns;
}

struct cs_clock_pair cs_clock_pair(void)
{
    /* An interruption between the two readings would make the pair wrong: keep the closest of three. */
    struct cs_clock_pair best = {0};
    uint64_t best_gap = UINT64_MAX;
    for (int i = 0; i < 3; i++) {
        uint64_t before = cs_clock_ticks();
        uint64_t monotonic = cs_clock_monotonic_ns();
        uint64_t after = cs_clock_ticks();
        if (after - before < best_gap) {
            best_gap = after - before;
            best.ticks = before + (after - before) / 2;
            best.monotonic_ns = monotonic;
        }
    }
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t passed = cs_clock_monotonic_ns() - best.monotonic_ns;
    best.realtime_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec - passed;
    return best;
}

double cs_clock_ns_per_tick(uint64_t ticks_per_second, const struct cs_clock_pair *first,
                            const struct cs_clock_pair *last)
{
    if (ticks_per_second)
        return 1e9 / (double)ticks_per_second;
    if (last->ticks <= first->ticks || last->monotonic_ns <= first->monotonic_ns)
        return 1.0;
    return (double)(last->monotonic_ns - first->monotonic_ns) / (double)(last->ticks - first->ticks);
}
