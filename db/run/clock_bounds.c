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

bool cs_clock_calls_index(struct cs_clock_calls *calls, size_t clocks, const struct cs_clock_bound *bound,
                          size_t bounds)
{
    *calls = (struct cs_clock_calls){.bound = bound, .bounds = bounds};
    calls->group = calloc(bounds ? bounds : 1, sizeof *calls->group);
    calls->own = calloc(bounds ? bounds : 1, sizeof *calls->own);
    calls->first = calloc(clocks + 2, sizeof *calls->first);
    if (!calls->group || !calls->own || !calls->first)
        return false;
    for (size_t i = 0; i < bounds; i++) {
        calls->group[i] = i && cs_clock_same_call(&bound[i - 1], &bound[i]) ? calls->group[i - 1] : i;
        calls->first[bound[i].clock + 2]++;
    }
    for (size_t i = 2; i < clocks + 2; i++)
        calls->first[i] += calls->first[i - 1];
    /* Shifted by one: filling moves each to its place. */
    for (size_t i = 0; i < bounds; i++)
        calls->own[calls->first[bound[i].clock + 1]++] = i;
    return true;
}

void cs_clock_calls_free(struct cs_clock_calls *calls)
{
    free(calls->group);
    free(calls->own);
    free(calls->first);
}

size_t cs_clock_call_end(const struct cs_clock_calls *calls, size_t group)
{
    size_t end = group;
    while (end < calls->bounds && calls->group[end] == group)
        end++;
    return end;
}
