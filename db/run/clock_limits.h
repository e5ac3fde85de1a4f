/* Limits of the line that has to be added to a clock, and the lines that keep them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/run/corridor.h"

/* A line is looked for to a nanosecond. */
#define CS_LIMIT_PRECISION_NS 1.0

/* What one call on a communicator says of a clock, when the line of the other clock is known. */
struct cs_limit {
    uint64_t communicator;
    uint32_t clock;
    bool above;        /* the line has to be, of this height; else below */
    double at, height; /* at: part of the span, 0 to 1 */
};

struct cs_limits {
    struct cs_limit *limit;
    size_t count, room;
};

/* False without memory. */
bool cs_limits_add(struct cs_limits *limits, struct cs_limit limit);

bool cs_limit_is_kept(const struct cs_limit *limit, struct cs_line line);

/* Whether they bind from both sides. */
bool cs_limits_bind(const struct cs_limit *limit, size_t count);

/* The lines that keep all limits, whose ends differ by at most `slope`; empty if there are none. */
struct cs_corridor cs_limits_keep(const struct cs_limit *limit, size_t count, double slope);

/* What is left where not all limits can be kept: those of the communicator that tells most, and of the others as far as
   they do not contradict it. Sets *wider, by which those of the first communicator had to be wider where even they
   contradict each other. The limits are sorted by communicator. */
struct cs_corridor cs_limits_nearly_keep(const struct cs_limit *limit, size_t count, double slope, double *wider);
/* The lines that miss limits least, where not all can be kept. Empty only if they do not bind. */
struct cs_corridor cs_limits_miss(const struct cs_limit *limit, size_t count, double slope);
