#include "db/run/clock_contradictions.h"

#include <math.h>

#include "db/run/clock_limits.h"

/* The last to enter and the first to leave, as far as that is sure; and those of another clock. */
struct ends {
    double entered[2], left[2];
    const struct cs_clock_bound *by_entered[2], *by_left[2];
};

static void see_end(double value, const struct cs_clock_bound *by, double best[2],
                    const struct cs_clock_bound *by_best[2])
{
    if (value > best[0]) {
        best[1] = best[0];
        by_best[1] = by_best[0];
        best[0] = value;
        by_best[0] = by;
    } else if (value > best[1]) {
        best[1] = value;
        by_best[1] = by;
    }
}

/* An instant of a clock on that of the run. */
static double corrected(const struct cs_clock *clock, int64_t ns)
{
    return (double)ns + clock->offset_ns + clock->drift * (double)ns;
}

static struct ends find_ends(const struct cs_clock *clock, const struct cs_clock_bound *bound, size_t count)
{
    struct ends ends = {.entered = {-INFINITY, -INFINITY}, .left = {-INFINITY, -INFINITY}};
    for (size_t i = 0; i < count; i++) {
        const struct cs_clock *of = &clock[bound[i].clock];
        double unsure = of->error_ns + CS_CLOCK_SLACK_NS;
        if (cs_clock_has_entered(&bound[i]))
            see_end(corrected(of, bound[i].entered_ns) - unsure, &bound[i], ends.entered, ends.by_entered);
        if (cs_clock_has_left(&bound[i]))
            see_end(-corrected(of, bound[i].left_ns) - unsure, &bound[i], ends.left, ends.by_left);
    }
    return ends;
}

/* Clock 0 is right by definition: what contradicts it is the other. */
static void see_contradiction(struct cs_clock *clock, uint32_t one, uint32_t other, double ns)
{
    if (one == other || !(ns > CS_LIMIT_PRECISION_NS))
        return;
    if (one)
        clock[one].contradiction_ns = fmax(clock[one].contradiction_ns, ns);
    if (other)
        clock[other].contradiction_ns = fmax(clock[other].contradiction_ns, ns);
}

void cs_clocks_contradict(struct cs_clock *clock, size_t clocks, const struct cs_clock_bound *bound, size_t bounds)
{
    for (size_t first = 0, end; first < bounds; first = end) {
        for (end = first + 1; end < bounds && cs_clock_same_call(&bound[first], &bound[end]);)
            end++;
        struct ends ends = find_ends(clock, bound + first, end - first);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                if (isfinite(ends.entered[i]) && isfinite(ends.left[j]))
                    see_contradiction(clock, ends.by_entered[i]->clock, ends.by_left[j]->clock,
                                      ends.entered[i] + ends.left[j]);
    }
    for (size_t i = 0; i < clocks; i++)
        clock[i].error_ns += clock[i].contradiction_ns;
}
