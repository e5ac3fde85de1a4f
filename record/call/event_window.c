#include "record/call/event_window.h"

#include <stdatomic.h>

#include "base/clock.h"
#include "base/settings.h"

/* A moment that bounds the window. */
struct bound {
    struct cs_moment moment;
    bool set;
    _Atomic bool passed; /* its level was seen */
};

static struct bound from, until;
static _Atomic uint64_t init_ns; /* on the monotonic clock; 0: MPI_Init has not returned */
static _Atomic uint64_t init_ticks;

static void read_bound(enum cs_setting_id id, struct bound *bound)
{
    bound->set = cs_setting_moment(id, &bound->moment);
}

void cs_event_window_start(void)
{
    read_bound(CS_SETTING_EVENTS_FROM, &from);
    read_bound(CS_SETTING_EVENTS_UNTIL, &until);
}

bool cs_event_window_is_set(void)
{
    return from.set || until.set;
}

void cs_event_window_note_init(void)
{
    if (!cs_event_window_is_set())
        return;
    atomic_store_explicit(&init_ticks, cs_clock_ticks(), memory_order_relaxed);
    atomic_store_explicit(&init_ns, cs_clock_monotonic_ns(), memory_order_release);
}

static void take_level(struct bound *bound, int level)
{
    if (bound->set && bound->moment.by_level && bound->moment.level == level)
        atomic_store_explicit(&bound->passed, true, memory_order_relaxed);
}

/* A level that ends the window counts only after it began: a program may use two levels in turn. */
void cs_event_window_take_level(int level)
{
    uint64_t limit;
    if (cs_event_window_is_set() && cs_event_window_look(cs_clock_ticks(), &limit) == CS_EVENTS_RECORDED)
        take_level(&until, level);
    take_level(&from, level);
}

/* since: monotonic time after MPI_Init. */
static bool is_passed(struct bound *bound, bool began, uint64_t since)
{
    if (bound->moment.by_level)
        return atomic_load_explicit(&bound->passed, memory_order_relaxed);
    return began && since >= bound->moment.ns;
}

/* Ticks of a moment that is `left` nanoseconds away, a little early: the rate is measured since MPI_Init. */
static uint64_t ticks_until(uint64_t ticks, uint64_t since, uint64_t left)
{
    enum { MEASURED_NS = 1000000 };
    uint64_t passed = ticks - atomic_load_explicit(&init_ticks, memory_order_relaxed);
    if (since < MEASURED_NS)
        return 0;
    return ticks + (uint64_t)(0.99 * (double)left * ((double)passed / (double)since));
}

enum cs_event_window cs_event_window_look(uint64_t ticks, uint64_t *limit)
{
    uint64_t begin = atomic_load_explicit(&init_ns, memory_order_acquire);
    uint64_t since = begin ? cs_clock_monotonic_ns() - begin : 0;
    *limit = 0;
    if (from.set && !is_passed(&from, begin != 0, since))
        return CS_EVENTS_BEFORE;
    if (until.set && is_passed(&until, begin != 0, since))
        return CS_EVENTS_AFTER;
    if (!until.set)
        *limit = UINT64_MAX;
    else if (!until.moment.by_level && begin)
        *limit = ticks_until(ticks, since, until.moment.ns - since);
    return CS_EVENTS_RECORDED;
}
