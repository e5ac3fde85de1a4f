/* How the clocks of the nodes of a run stand to each other, from synchronizing collectives: nobody leaves the n-th call
 * on a communicator before everybody has entered it, so that "I left after you entered" bounds what one clock is ahead
 * of another from both sides.
 *
 * A clock may be wrong by an offset and a drift: what has to be added to it is a straight line. Clock 0 is right by
 * definition. From it on, along a tree, each clock gets a line that keeps all bounds with the one before it: none if
 * its UTC keeps them, because a clock that is kept by NTP is better than the middle of wide bounds; else the middle of
 * what the bounds leave. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- what synchronizing collectives tell of the clocks ---- */

/* By how much a clock that runs evenly may be read wrongly, when two clocks of a computer are read at once: each bound
   is that much wider. */
#define CS_CLOCK_SLACK_NS 200

/* What the ranks of one clock tell of the n-th call on one communicator. Instants are nanoseconds on the clock itself,
   counted from one instant of UTC that is the same for all clocks. */
struct cs_clock_bound {
    uint64_t communicator; /* its uid */
    uint64_t nth;
    uint32_t clock;
    int64_t entered_ns; /* by the last of them; INT64_MIN: by nobody for whom others wait */
    int64_t left_ns;    /* by the first of them; INT64_MAX: by nobody who waits */
};

static inline bool cs_clock_has_entered(const struct cs_clock_bound *bound)
{
    return bound->entered_ns != INT64_MIN;
}

static inline bool cs_clock_has_left(const struct cs_clock_bound *bound)
{
    return bound->left_ns != INT64_MAX;
}

static inline bool cs_clock_same_call(const struct cs_clock_bound *a, const struct cs_clock_bound *b)
{
    return a->communicator == b->communicator && a->nth == b->nth;
}

/* Sorts the bounds and adds up those of equal communicator, number and clock. The number of those that are left. */
size_t cs_clock_bounds_add_up(struct cs_clock_bound *bound, size_t count);

/* Likewise, and forgets those of calls that only one clock tells of. */
size_t cs_clock_bounds_join(struct cs_clock_bound *bound, size_t count);

/* ---- the lines of the clocks ---- */

/* Instants are as in struct cs_clock_bound. */
struct cs_clock {
    int64_t begin_ns, end_ns; /* its error is to hold from here to here */
    /* found: */
    double offset_ns; /* to be added at instant 0 */
    double drift;     /* to be added for each nanosecond after it */
    bool bounded;     /* false: nothing binds it to clock 0, its error is not known */
    double error_ns;
    double contradiction_ns; /* bounds contradict each other by so much even so; 0: they do not */
};

/* Finds the lines of all clocks. The bounds were joined. False without memory: all clocks are taken to be right then.
 */
bool cs_clocks_solve(struct cs_clock *clock, size_t clocks, const struct cs_clock_bound *bound, size_t bounds);
