#include "db/run/clock_lines.h"

#include <math.h>

#include "base/array.h"

/* ---- sets of lines ---- */

/* Heights are nanoseconds: lines that meet a bound exactly must survive rounding. */
#define ROUNDING 1e-3

/* The half-plane x * begin + y * end + c >= 0. */
struct half_plane {
    double x, y, c;
};

static double side(const struct half_plane *half, struct cs_line line)
{
    return half->x * line.begin + half->y * line.end + half->c;
}

static struct cs_line between(struct cs_line a, double side_a, struct cs_line b, double side_b)
{
    double part = side_a / (side_a - side_b);
    return (struct cs_line){a.begin + (b.begin - a.begin) * part, a.end + (b.end - a.end) * part};
}

static void cut(struct cs_line_set *set, const struct half_plane *half)
{
    struct cs_line_set left = {.corners = 0};
    if (set->corners + 2 > CS_LINE_SET_CORNERS)
        return;
    for (int i = 0; i < set->corners; i++) {
        struct cs_line here = set->corner[i], next = set->corner[(i + 1) % set->corners];
        double side_here = side(half, here), side_next = side(half, next);
        if (side_here >= -ROUNDING)
            left.corner[left.corners++] = here;
        if ((side_here > ROUNDING && side_next < -ROUNDING) || (side_here < -ROUNDING && side_next > ROUNDING))
            left.corner[left.corners++] = between(here, side_here, next, side_next);
    }
    *set = left;
}

/* All lines between two heights whose ends differ by at most `slope`. */
static struct cs_line_set lines_between(double low, double high, double slope)
{
    struct cs_line_set set = {.corners = 4, .corner = {{low, low}, {high, low}, {high, high}, {low, high}}};
    cut(&set, &(struct half_plane){1, -1, slope});
    cut(&set, &(struct half_plane){-1, 1, slope});
    return set;
}

/* Keeps only lines whose height at this part of the span, 0 to 1, is at least (at most) this. */
static void keep_above(struct cs_line_set *set, double at, double height)
{
    cut(set, &(struct half_plane){1 - at, at, -height});
}

static void keep_below(struct cs_line_set *set, double at, double height)
{
    cut(set, &(struct half_plane){at - 1, -at, height});
}

void cs_line_set_range(const struct cs_line_set *set, struct cs_line *low, struct cs_line *high)
{
    *low = *high = set->corner[0];
    for (int i = 1; i < set->corners; i++) {
        low->begin = fmin(low->begin, set->corner[i].begin);
        low->end = fmin(low->end, set->corner[i].end);
        high->begin = fmax(high->begin, set->corner[i].begin);
        high->end = fmax(high->end, set->corner[i].end);
    }
}

/* The least and greatest height of level lines: where the edges cross begin = end. Returns false if there are none. */
static bool level_range(const struct cs_line_set *set, double *low, double *high)
{
    static const struct half_plane rising = {-1, 1, 0};
    bool found = false;
    for (int i = 0; i < set->corners; i++) {
        struct cs_line here = set->corner[i], next = set->corner[(i + 1) % set->corners];
        double side_here = side(&rising, here), side_next = side(&rising, next);
        if (side_here != 0 && (side_here > 0) == (side_next > 0))
            continue;
        double height = side_here == 0 ? here.begin : between(here, side_here, next, side_next).begin;
        *low = found ? fmin(*low, height) : height;
        *high = found ? fmax(*high, height) : height;
        found = true;
    }
    return found;
}

/* True if one of the lines, whose level lines lie between these heights, is 0 everywhere. */
static bool has_zero(double low, double high)
{
    return low <= 0 && high >= 0;
}

struct cs_line cs_line_set_middle(const struct cs_line_set *set)
{
    double low, high;
    if (level_range(set, &low, &high)) {
        double height = has_zero(low, high) ? 0 : (low + high) / 2;
        return (struct cs_line){height, height};
    }
    struct cs_line least, most;
    cs_line_set_range(set, &least, &most);
    return (struct cs_line){(least.begin + most.begin) / 2, (least.end + most.end) / 2};
}

/* ---- limits ---- */

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

static void keep_limits(struct cs_line_set *set, const struct cs_limit *limit, size_t count, double wider)
{
    for (size_t i = 0; i < count && set->corners; i++)
        if (limit[i].above)
            keep_above(set, limit[i].at, limit[i].height - wider);
        else
            keep_below(set, limit[i].at, limit[i].height + wider);
}

/* The box around all lines that can meet the limits. Returns false if limits exist only on one side. */
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

/* The lines that meet the limits when each is widened by `wider`. */
static struct cs_line_set lines_within(const struct cs_limit *limit, size_t count, double slope, double wider)
{
    double low, high;
    struct cs_line_set set = {.corners = 0};
    if (!find_box(limit, count, &low, &high) || low - slope - wider > high + slope + wider)
        return set;
    set = lines_between(low - slope - wider, high + slope + wider, slope);
    keep_limits(&set, limit, count, wider);
    return set;
}

/* The least widening after which a line meets all contradicting limits. */
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

/* The communicator with the most information: others count only as far as they do not contradict it. Limits are
   sorted by communicator. */
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

struct cs_line_set cs_limits_keep(const struct cs_limit *limit, size_t count, double slope)
{
    return lines_within(limit, count, slope, 0);
}

struct cs_line_set cs_limits_nearly_keep(const struct cs_limit *limit, size_t count, double slope, double *wider)
{
    size_t most, same;
    const struct cs_limit *first = most_told(limit, count, &most);
    *wider = 0;
    if (!most) {
        *wider = least_wider(limit, count, slope);
        return lines_within(limit, count, slope, *wider);
    }
    struct cs_line_set set = lines_within(first, most, slope, 0);
    if (!set.corners) {
        *wider = least_wider(first, most, slope);
        set = lines_within(first, most, slope, *wider);
    }
    for (size_t i = 0; i < count; i += same) {
        struct cs_line_set narrower = set;
        same = same_communicator(limit + i, count - i);
        keep_limits(&narrower, limit + i, same, 0);
        if (narrower.corners)
            set = narrower;
    }
    return set;
}

struct cs_line_set cs_limits_miss(const struct cs_limit *limit, size_t count, double slope)
{
    return lines_within(limit, count, slope, least_wider(limit, count, slope));
}
