#include "record/object/type_layout.h"

#include <string.h>

/* Farther bytes are in no buffer. */
static const int64_t farthest = INT64_C(1) << 60;

static bool is_far(int64_t value)
{
    return value > farthest || value < -farthest;
}

/* ---- runs ---- */

/* From the begin of a run to its end, by its lower levels. */
static int64_t span_of(const struct cs_run *run, int levels)
{
    int64_t span = run->bytes;
    for (int i = 0; i < levels; i++)
        span += run->level[i].step * (run->level[i].times - 1);
    return span;
}

static void remove_level(struct cs_run *run, int at)
{
    run->levels--;
    memmove(&run->level[at], &run->level[at + 1], (size_t)(run->levels - at) * sizeof run->level[0]);
}

/* Copies that touch each other are one piece, and two levels may be one. */
static void simplify(struct cs_run *run)
{
    while (run->levels && run->level[0].step <= run->bytes) {
        run->bytes += run->level[0].step * (run->level[0].times - 1);
        remove_level(run, 0);
    }
    for (int i = run->levels - 1; i > 0; i--)
        if (run->level[i].step == run->level[i - 1].step * run->level[i - 1].times) {
            run->level[i - 1].times *= run->level[i].times;
            remove_level(run, i);
        }
}

bool cs_run_repeat(struct cs_run *run, int64_t step, int64_t times)
{
    int64_t distance, span;
    if (times <= 1 || step == 0)
        return times >= 1;
    if (is_far(step) || __builtin_mul_overflow(step, times - 1, &distance) || is_far(distance) ||
        run->levels == CS_LAYOUT_LEVELS_MOST)
        return false;
    if (step < 0) {
        run->begin += distance;
        step = -step;
        distance = -distance;
    }
    span = span_of(run, run->levels) + distance;
    if (is_far(run->begin) || is_far(span))
        return false;
    int at = run->levels++;
    for (; at > 0 && run->level[at - 1].step > step; at--)
        run->level[at] = run->level[at - 1];
    run->level[at].step = step;
    run->level[at].times = times;
    simplify(run);
    return true;
}

/* ---- layouts ---- */

static bool are_levels_equal(const struct cs_run *a, const struct cs_run *b)
{
    if (a->levels != b->levels)
        return false;
    for (int i = 0; i < a->levels; i++)
        if (a->level[i].step != b->level[i].step || a->level[i].times != b->level[i].times)
            return false;
    return true;
}

bool cs_layout_add(struct cs_layout *layout, const struct cs_run *run)
{
    struct cs_run *last = layout->runs ? &layout->run[layout->runs - 1] : NULL;
    if (run->bytes <= 0)
        return true;
    if (last && last->begin + last->bytes == run->begin && are_levels_equal(last, run)) {
        last->bytes += run->bytes;
        simplify(last);
        return true;
    }
    if (layout->runs == CS_LAYOUT_RUNS_MOST)
        return false;
    layout->run[layout->runs++] = *run;
    return true;
}

bool cs_layout_add_elements(struct cs_layout *all, const struct cs_layout *element, int64_t begin, int64_t count)
{
    bool added = true;
    if (is_far(begin))
        return false;
    for (int i = 0; count > 0 && i < element->runs && added; i++) {
        struct cs_run run = element->run[i];
        run.begin += begin;
        added = cs_run_repeat(&run, element->extent, count) && cs_layout_add(all, &run);
    }
    return added;
}

bool cs_layout_is_equal(const struct cs_layout *a, const struct cs_layout *b)
{
    bool equal = a->extent == b->extent && a->runs == b->runs;
    for (int i = 0; equal && i < a->runs; i++)
        equal = a->run[i].begin == b->run[i].begin && a->run[i].bytes == b->run[i].bytes &&
                are_levels_equal(&a->run[i], &b->run[i]);
    return equal;
}

void cs_layout_span(const struct cs_layout *layout, int64_t *begin, int64_t *end)
{
    *begin = *end = 0;
    for (int i = 0; i < layout->runs; i++) {
        const struct cs_run *run = &layout->run[i];
        int64_t last = run->begin + span_of(run, run->levels);
        if (i == 0 || run->begin < *begin)
            *begin = run->begin;
        if (i == 0 || last > *end)
            *end = last;
    }
}

/* The number of listed pieces; above `most`: they do not fit. */
static int list_copies(const struct cs_run *run, int levels, int64_t begin, struct cs_piece *piece, int most)
{
    if (!levels) {
        if (most > 0)
            piece[0] = (struct cs_piece){begin, run->bytes};
        return 1;
    }
    int listed = 0;
    for (int64_t i = 0; i < run->level[levels - 1].times && listed <= most; i++)
        listed += list_copies(run, levels - 1, begin + i * run->level[levels - 1].step, piece + listed, most - listed);
    return listed;
}

int cs_layout_list(const struct cs_layout *layout, struct cs_piece *piece, int most)
{
    int listed = 0;
    for (int i = 0; i < layout->runs && listed <= most; i++)
        listed +=
            list_copies(&layout->run[i], layout->run[i].levels, layout->run[i].begin, piece + listed, most - listed);
    return listed <= most ? listed : 0;
}

/* ---- intersection ---- */

static int64_t floor_of(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The bytes that both have, by their lower levels; b begins so many bytes after a. -1: undecided. Copies at one
   distance differ only by the numbers of the copies, so that equal steps need one look for each difference; of other
   levels the copies that may meet are tried. */
static int64_t overlap(const struct cs_run *a, int a_levels, const struct cs_run *b, int b_levels, int64_t distance,
                       int *steps)
{
    int64_t a_span = span_of(a, a_levels), b_span = span_of(b, b_levels), all = 0;
    if (distance >= a_span || distance + b_span <= 0)
        return 0;
    if (--*steps < 0)
        return -1;
    if (!a_levels && !b_levels)
        return least(a_span, distance + b_span) - most(0, distance);
    int64_t a_step = a_levels ? a->level[a_levels - 1].step : 0, b_step = b_levels ? b->level[b_levels - 1].step : 0;
    bool equal = a_step == b_step, by_b = equal || b_step > a_step;
    int64_t step = by_b ? b_step : a_step;
    int a_inner = equal || !by_b ? a_levels - 1 : a_levels, b_inner = by_b ? b_levels - 1 : b_levels;
    int64_t a_times = a_inner < a_levels ? a->level[a_inner].times : 1;
    int64_t b_times = b_inner < b_levels ? b->level[b_inner].times : 1;
    /* -b_rest < distance + k * step < a_rest, where k is the number of b's copy less that of a's */
    int64_t a_rest = span_of(a, a_inner), b_rest = span_of(b, b_inner);
    int64_t first = most(floor_of(-b_rest - distance, step) + 1, 1 - a_times);
    int64_t last = least(-floor_of(distance - a_rest, step) - 1, b_times - 1);
    for (int64_t k = first; k <= last; k++) {
        int64_t pairs = least(a_times, b_times - k) - most(0, -k);
        int64_t one = overlap(a, a_inner, b, b_inner, distance + k * step, steps);
        if (one < 0)
            return -1;
        all += pairs * one;
    }
    return all;
}

int64_t cs_layout_overlap(const struct cs_layout *a, uint64_t a_begin, const struct cs_layout *b, uint64_t b_begin,
                          int *steps)
{
    int64_t all = 0, distance = (int64_t)(b_begin - a_begin);
    for (int i = 0; i < a->runs; i++)
        for (int j = 0; j < b->runs; j++) {
            int64_t one = is_far(distance) ? 0
                                           : overlap(&a->run[i], a->run[i].levels, &b->run[j], b->run[j].levels,
                                                     distance + b->run[j].begin - a->run[i].begin, steps);
            if (one < 0)
                return -1;
            all += one;
        }
    return all;
}
