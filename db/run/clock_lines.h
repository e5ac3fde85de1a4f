/* Sets of straight lines that meet limits: possible corrections of a clock, as they change with time.
 *
 * A line is given by its heights at the begin and the end of a span of time. A limit of its height at an instant is
 * then a half-plane, and all lines that meet all limits are a convex polygon. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Further corners are not cut off: then some lines remain that violate a bound. */
enum { CS_LINE_SET_CORNERS = 128 };

struct cs_line {
    double begin, end; /* height */
};

/* All lines that meet some limits. */
struct cs_line_set {
    struct cs_line corner[CS_LINE_SET_CORNERS]; /* in order around the polygon */
    int corners;                                /* 0: no line meets all limits */
};

/* The least and greatest height of its lines at both ends; not for an empty set. */
void cs_line_set_range(const struct cs_line_set *set, struct cs_line *low, struct cs_line *high);

/* The best line of a set that is not empty: zero if it meets the limits, else the middle of all level lines, else
   the line through the middles at both ends. It always belongs to the set. */
struct cs_line cs_line_set_middle(const struct cs_line_set *set);

static inline double cs_line_at(struct cs_line line, double at)
{
    return line.begin + (line.end - line.begin) * at;
}

/* Lines are computed to a nanosecond. */
#define CS_LIMIT_PRECISION_NS 1.0

/* The limit from one call on a communicator, when the line of the other clock is known. */
struct cs_limit {
    uint64_t communicator;
    uint32_t clock;
    bool above;        /* true: the line must be above this height; false: below */
    double at, height; /* at: part of the span, 0 to 1 */
};

struct cs_limits {
    struct cs_limit *limit;
    size_t count, room;
};

/* False without memory. */
bool cs_limits_add(struct cs_limits *limits, struct cs_limit limit);

bool cs_limit_is_kept(const struct cs_limit *limit, struct cs_line line);

/* True if there are limits on both sides. */
bool cs_limits_bind(const struct cs_limit *limit, size_t count);

/* The lines that meet all limits and whose ends differ by at most `slope`; empty if there are none. */
struct cs_line_set cs_limits_keep(const struct cs_limit *limit, size_t count, double slope);

/* For contradicting limits: the lines that meet those of the communicator with the most information, and those of
   others that do not contradict it. *wider: how much the limits of the first communicator were widened, if they
   contradict each other. The limits are sorted by communicator. */
struct cs_line_set cs_limits_nearly_keep(const struct cs_limit *limit, size_t count, double slope, double *wider);

/* For contradicting limits: the lines that violate them least. Empty only if there are limits on one side only. */
struct cs_line_set cs_limits_miss(const struct cs_limit *limit, size_t count, double slope);
