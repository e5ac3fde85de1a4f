#include "db/run/clock_limits.h"

#include <math.h>

#include "base/array.h"

bool cs_limits_add(struct cs_limits *limits, struct cs_limit limit)
{
    if (!cs_array_grow(&limits->limit, limits->count, &limits->room, sizeof limit))
        return false;
    limits->limit[limits->count++] = limit;
    return true;
}

bool cs_limit_is_kept(const struct cs_limit *limit, struct cs_line line)
{
    double height = cs_line_at(line, limit->at);
    return limit->above ? height >= limit->height - CS_LIMIT_PRECISION_NS
                        : height <= limit->height + CS_LIMIT_PRECISION_NS;
}

static void cut(struct cs_corridor *corridor, const struct cs_limit *limit, size_t count, double wider)
{
    for (size_t i = 0; i < count && corridor->corners; i++)
        if (limit[i].above)
            cs_corridor_above(corridor, limit[i].at, limit[i].height - wider);
        else
            cs_corridor_below(corridor, limit[i].at, limit[i].height + wider);
}

/* The box around all that can keep the limits; false: they bind from one side at most. */
static bool find_box(const struct cs_limit *limit, size_t count, double *low, double *high)
{
    *low = -INFINITY;
    *high = INFINITY;
    for (size_t i = 0; i < count; i++)
        if (limit[i].above)
            *low = fmax(*low, limit[i].height);
        else
            *high = fmin(*high, limit[i].height);
    return isfinite(*low) && isfinite(*high);
}

bool cs_limits_bind(const struct cs_limit *limit, size_t count)
{
    double low, high;
    return find_box(limit, count, &low, &high);
}

/* The lines that keep the limits when each of them is so much wider. */
static struct cs_corridor lines_within(const struct cs_limit *limit, size_t count, double slope, double wider)
{
    double low, high;
    struct cs_corridor corridor = {.corners = 0};
    if (!find_box(limit, count, &low, &high) || low - slope - wider > high + slope + wider)
        return corridor;
    corridor = cs_corridor_of(low - slope - wider, high + slope + wider, slope);
    cut(&corridor, limit, count, wider);
    return corridor;
}

/* By how much limits that contradict each other must be wider before a line keeps them all. */
static double least_wider(const struct cs_limit *limit, size_t count, double slope)
{
    double not_enough = 0, enough = 1000;
    while (enough < 1e18 && !lines_within(limit, count, slope, enough).corners) {
        not_enough = enough;
        enough *= 2;
    }
    while (enough - not_enough > fmax(CS_LIMIT_PRECISION_NS, enough * 1e-12)) {
        double middle = (not_enough + enough) / 2;
        if (lines_within(limit, count, slope, middle).corners)
            enough = middle;
        else
            not_enough = middle;
    }
    return enough;
}

static size_t same_communicator(const struct cs_limit *limit, size_t count)
{
    size_t same = 1;
    while (same < count && limit[same].communicator == limit[0].communicator)
        same++;
    return same;
}

/* The communicator that tells most: the others are taken as far as they do not contradict it. Limits come sorted by
   communicator. */
static const struct cs_limit *most_told(const struct cs_limit *limit, size_t count, size_t *most)
{
    const struct cs_limit *found = limit;
    *most = 0;
    for (size_t i = 0, same; i < count; i += same) {
        same = same_communicator(limit + i, count - i);
        if (same > *most && cs_limits_bind(limit + i, same)) {
            found = limit + i;
            *most = same;
        }
    }
    return found;
}

struct cs_corridor cs_limits_keep(const struct cs_limit *limit, size_t count, double slope)
{
    return lines_within(limit, count, slope, 0);
}

struct cs_corridor cs_limits_nearly_keep(const struct cs_limit *limit, size_t count, double slope, double *wider)
{
    size_t most, same;
    const struct cs_limit *first = most_told(limit, count, &most);
    *wider = 0;
    if (!most) {
        *wider = least_wider(limit, count, slope);
        return lines_within(limit, count, slope, *wider);
    }
    struct cs_corridor corridor = lines_within(first, most, slope, 0);
    if (!corridor.corners) {
        *wider = least_wider(first, most, slope);
        corridor = lines_within(first, most, slope, *wider);
    }
    for (size_t i = 0; i < count; i += same) {
        struct cs_corridor narrower = corridor;
        same = same_communicator(limit + i, count - i);
        cut(&narrower, limit + i, same, 0);
        if (narrower.corners)
            corridor = narrower;
    }
    return corridor;
}

struct cs_corridor cs_limits_miss(const struct cs_limit *limit, size_t count, double slope)
{
    return lines_within(limit, count, slope, least_wider(limit, count, slope));
}
