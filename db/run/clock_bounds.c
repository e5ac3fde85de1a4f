#include "db/run/clock_bounds.h"

#include <stdlib.h>

#include "base/array.h"

static int by_call(const void *left, const void *right)
{
    const struct cs_clock_bound *a = left, *b = right;
    if (a->communicator != b->communicator)
        return a->communicator < b->communicator ? -1 : 1;
    if (a->nth != b->nth)
        return a->nth < b->nth ? -1 : 1;
    return cs_compare(a->clock, b->clock);
}

static void take(struct cs_clock_bound *bound, const struct cs_clock_bound *other)
{
    bound->entered_ns = bound->entered_ns > other->entered_ns ? bound->entered_ns : other->entered_ns;
    bound->left_ns = bound->left_ns < other->left_ns ? bound->left_ns : other->left_ns;
}

size_t cs_clock_bounds_add_up(struct cs_clock_bound *bound, size_t count)
{
    size_t kept = 0;
    if (count)
        qsort(bound, count, sizeof *bound, by_call);
    for (size_t i = 0; i < count; i++)
        if (kept && by_call(&bound[kept - 1], &bound[i]) == 0)
            take(&bound[kept - 1], &bound[i]);
        else
            bound[kept++] = bound[i];
    return kept;
}

size_t cs_clock_bounds_join(struct cs_clock_bound *bound, size_t count)
{
    size_t kept = 0;
    count = cs_clock_bounds_add_up(bound, count);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && cs_clock_same_call(&bound[first], &bound[end]);)
            end++;
        for (size_t i = first; end - first > 1 && i < end; i++)
            bound[kept++] = bound[i];
    }
    return kept;
}
