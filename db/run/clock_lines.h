/* The straight lines that keep certain limits: what may have to be added to a clock, as it changes with time.
 *
 * A line is given by its heights at the begin and at the end of a span of time. A limit of its height at some instant
 * is then a half-plane, and all lines that keep all limits are a convex polygon. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Corners beyond these are not cut off: then some lines are kept that break a bound. */
enum { CS_LINE_SET_CORNERS = 128 };

struct cs_line {
    double begin, end; /* height */
};

/* All lines that keep some limits. */
struct cs_line_set {
    struct cs_line corner[CS_LINE_SET_CORNERS]; /* in order around the polygon */
    int corners;                                /* 0: no line keeps all bounds */
};

/* The least and the most height of its lines at both ends. Not of an empty one. */
void cs_line_set_range(const struct cs_line_set *set, struct cs_line *low, struct cs_line *high);

/* Of a set that is not empty: zero if that keeps the bounds, else the middle of all level lines if there are any,
   else the line through the middle of what is possible at both ends. In the plane that is always one of them. */
struct cs_line cs_line_set_middle(const struct cs_line_set *set);

static inline double cs_line_at(struct cs_line line, double at)
{
    return line.begin + (line.end - line.begin) * at;
}

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
struct cs_line_set cs_limits_keep(const struct cs_limit *limit, size_t count, double slope);

/* What is left where not all limits can be kept: those of the communicator that tells most, and of the others as far as
   they do not contradict it. Sets *wider, by which those of the first communicator had to be wider where even they
   contradict each other. The limits are sorted by communicator. */
struct cs_line_set cs_limits_nearly_keep(const struct cs_limit *limit, size_t count, double slope, double *wider);

/* The lines that miss limits least, where not all can be kept. Empty only if they do not bind. */
struct cs_line_set cs_limits_miss(const struct cs_limit *limit, size_t count, double slope);
