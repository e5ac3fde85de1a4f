#include "db/run/corridor.h"

#include <math.h>

/* Heights are nanoseconds: rounding must not leave out what keeps a bound exactly. */
#define ROUNDING 1e-3

/* What is at or above 0 of x * begin + y * end + c. */
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

static void cut(struct cs_corridor *corridor, const struct half_plane *half)
{
    struct cs_corridor left = {.corners = 0};
    if (corridor->corners + 2 > CS_CORRIDOR_CORNERS)
        return;
    for (int i = 0; i < corridor->corners; i++) {
        struct cs_line here = corridor->corner[i], next = corridor->corner[(i + 1) % corridor->corners];
        double side_here = side(half, here), side_next = side(half, next);
        if (side_here >= -ROUNDING)
            left.corner[left.corners++] = here;
        if ((side_here > ROUNDING && side_next < -ROUNDING) || (side_here < -ROUNDING && side_next > ROUNDING))
            left.corner[left.corners++] = between(here, side_here, next, side_next);
    }
    *corridor = left;
}

struct cs_corridor cs_corridor_of(double low, double high, double slope)
{
    struct cs_corridor corridor = {.corners = 4, .corner = {{low, low}, {high, low}, {high, high}, {low, high}}};
    cut(&corridor, &(struct half_plane){1, -1, slope});
    cut(&corridor, &(struct half_plane){-1, 1, slope});
    return corridor;
}

void cs_corridor_above(struct cs_corridor *corridor, double at, double height)
{
    cut(corridor, &(struct half_plane){1 - at, at, -height});
}

void cs_corridor_below(struct cs_corridor *corridor, double at, double height)
{
    cut(corridor, &(struct half_plane){at - 1, -at, height});
}

void cs_corridor_range(const struct cs_corridor *corridor, struct cs_line *low, struct cs_line *high)
{
    *low = *high = corridor->corner[0];
    for (int i = 1; i < corridor->corners; i++) {
        low->begin = fmin(low->begin, corridor->corner[i].begin);
        low->end = fmin(low->end, corridor->corner[i].end);
        high->begin = fmax(high->begin, corridor->corner[i].begin);
        high->end = fmax(high->end, corridor->corner[i].end);
    }
}

/* The least and most height of its level lines: where its edges cross begin = end. False: there are none. */
static bool level_range(const struct cs_corridor *corridor, double *low, double *high)
{
    static const struct half_plane rising = {-1, 1, 0};
    bool found = false;
    for (int i = 0; i < corridor->corners; i++) {
        struct cs_line here = corridor->corner[i], next = corridor->corner[(i + 1) % corridor->corners];
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

/* Whether one of its lines is 0 everywhere, where its level lines are between these heights. */
static bool has_zero(double low, double high)
{
    return low <= 0 && high >= 0;
}

struct cs_line cs_corridor_middle(const struct cs_corridor *corridor)
{
    double low, high;
    if (level_range(corridor, &low, &high)) {
        double height = has_zero(low, high) ? 0 : (low + high) / 2;
        return (struct cs_line){height, height};
    }
    struct cs_line least, most;
    cs_corridor_range(corridor, &least, &most);
    return (struct cs_line){(least.begin + most.begin) / 2, (least.end + most.end) / 2};
}
