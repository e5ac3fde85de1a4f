/* The straight lines that keep certain bounds: what can have to be added to a clock, as it changes with time.
 *
 * A line is its height at the begin and at the end of a span of time. A bound on its height at some instant is then a
 * half-plane, and all lines that keep all bounds are a convex polygon. */
#pragma once

#include <stdbool.h>

/* Corners beyond these are not cut off: then some lines are kept that break a bound. */
enum { CS_CORRIDOR_CORNERS = 128 };

struct cs_line {
    double begin, end; /* height */
};

struct cs_corridor {
    struct cs_line corner[CS_CORRIDOR_CORNERS]; /* in order around the polygon */
    int corners;                                /* 0: no line keeps all bounds */
};

/* All lines between two heights whose ends differ by at most `slope`. */
struct cs_corridor cs_corridor_of(double low, double high, double slope);

/* Leaves the lines whose height at that part of the span, 0 to 1, is at least or at most this. */
void cs_corridor_above(struct cs_corridor *corridor, double at, double height);
void cs_corridor_below(struct cs_corridor *corridor, double at, double height);

/* The least and the most height of its lines at both ends. Not of an empty one. */
void cs_corridor_range(const struct cs_corridor *corridor, struct cs_line *low, struct cs_line *high);

/* Of a corridor that is not empty: zero if that keeps the bounds, else the middle of all level lines if there are any,
   else the line through the middle of what is possible at both ends. In the plane that is always one of them. */
struct cs_line cs_corridor_middle(const struct cs_corridor *corridor);

static inline double cs_line_at(struct cs_line line, double at)
{
    return line.begin + (line.end - line.begin) * at;
}
