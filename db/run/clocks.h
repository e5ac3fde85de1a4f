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

#include "db/run/clock_bounds.h"

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
