/* Computes how the clocks of nodes differ, from synchronizing collectives. No rank leaves the n-th call on a
 * communicator before all have entered it. So "I left after you entered" limits the difference of two clocks on both
 * sides.
 *
 * A clock may be wrong by an offset and a drift: its correction is a straight line. Clock 0 is right by definition.
 * Starting there, along a tree, each clock gets a line that meets all bounds with the clock before it. If its UTC
 * meets them, the line is zero, because a clock kept by NTP is better than the middle of wide bounds. Otherwise it
 * is the middle of what the bounds allow. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- what synchronizing collectives tell of the clocks ---- */

/* Reading error of an even clock when two clocks of a computer are read at once; each bound is widened by it. */
#define CS_CLOCK_SLACK_NS 200

/* What the ranks of one clock tell of the n-th call on one communicator. Instants are nanoseconds on that clock,
   counted from one instant of UTC that is equal for all clocks. */
struct cs_clock_bound {
    uint64_t communicator; /* its uid */
    uint64_t nth;
    uint32_t clock;
    int64_t entered_ns; /* last enter; INT64_MIN: no enter for which others wait */
    int64_t left_ns;    /* first leave; INT64_MAX: no rank waited */
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

/* Sorts the bounds and combines those with equal communicator, number and clock. Returns the number of remaining
   bounds. */
size_t cs_clock_bounds_add_up(struct cs_clock_bound *bound, size_t count);

/* cs_clock_bounds_add_up that also drops calls known from only one clock. */
size_t cs_clock_bounds_join(struct cs_clock_bound *bound, size_t count);

/* ---- the lines of the clocks ---- */

/* A clock; instants are as in struct cs_clock_bound. */
struct cs_clock {
    int64_t begin_ns, end_ns; /* span of time in which its error must hold */
    /* found: */
    double offset_ns; /* correction at instant 0 */
    double drift;     /* additional correction for each nanosecond after it */
    bool bounded;     /* false: nothing relates it to clock 0, its error is unknown */
    double error_ns;
    double contradiction_ns; /* remaining contradiction of bounds; 0: none */
};

/* Computes the lines of all clocks from joined bounds. Returns false without memory: then all clocks count as right. */
bool cs_clocks_solve(struct cs_clock *clock, size_t clocks, const struct cs_clock_bound *bound, size_t bounds);
