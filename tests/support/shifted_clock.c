/* The clock of a simulated host (hosts.py), preloaded in front of callsign: clock_gettime, gettimeofday and time are
   wrong by an offset that grows. CS_TEST_CLOCKS has five words for each host: its name, the offset in ns, the drift in
   ns per second, and since when it drifts, in ns of CLOCK_REALTIME and of CLOCK_MONOTONIC.

   callsign's instants are readings of the processor's counter, which this does not change; their rate and their UTC
   come from two pairs of counter and clocks (base/clock.h), which it does. Waiting until a point in time is the
   kernel's: a deadline on CLOCK_REALTIME comes earlier or later by the offset, waiting for a while is right. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* Those of <time.h> have attributes that a definition need not have. */
__attribute__((visibility("default"))) int clock_gettime(clockid_t id, struct timespec *now);
__attribute__((visibility("default"))) int gettimeofday(struct timeval *restrict now, void *restrict zone);
__attribute__((visibility("default"))) time_t time(time_t *now);

struct clock {
    long long offset_ns, drift_ppb, since_ns[2]; /* CLOCK_REALTIME, CLOCK_MONOTONIC */
};

static struct clock ours;
static bool looked;

/* Several threads may look at once, and find the same. */
static void look(void)
{
    struct utsname names;
    const char *words = getenv("CS_TEST_CLOCKS");
    struct clock clock;
    char host[65];
    int length;
    while (words && uname(&names) == 0 &&
           sscanf(words, "%64s %lld %lld %lld %lld%n", host, &clock.offset_ns, &clock.drift_ppb, &clock.since_ns[0],
                  &clock.since_ns[1], &length) == 5) {
        if (strcmp(host, names.nodename) == 0)
            ours = clock;
        words += length;
    }
    __atomic_store_n(&looked, true, __ATOMIC_RELEASE);
}

static bool is_wrong(clockid_t id, int *which)
{
    *which = id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_RAW || id == CLOCK_MONOTONIC_COARSE || id == CLOCK_BOOTTIME;
    return *which || id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_TAI;
}

int clock_gettime(clockid_t id, struct timespec *now)
{
    int which, result = (int)syscall(SYS_clock_gettime, id, now);
    if (result != 0 || !is_wrong(id, &which))
        return result;
    if (!__atomic_load_n(&looked, __ATOMIC_ACQUIRE))
        look();
    long long ns = (long long)now->tv_sec * 1000000000 + now->tv_nsec;
    ns += ours.offset_ns + (long long)((long double)(ns - ours.since_ns[which]) * ours.drift_ppb / 1e9L);
    now->tv_sec = ns / 1000000000;
    now->tv_nsec = ns % 1000000000;
    return 0;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec exact;
    (void)zone;
    int result = clock_gettime(CLOCK_REALTIME, &exact);
    if (result == 0)
        *now = (struct timeval){.tv_sec = exact.tv_sec, .tv_usec = exact.tv_nsec / 1000};
    return result;
}

time_t time(time_t *now)
{
    struct timespec exact;
    if (clock_gettime(CLOCK_REALTIME, &exact) != 0)
        return -1;
    if (now)
        *now = exact.tv_sec;
    return exact.tv_sec;
}
