#include "cli/compare/compare_rank_test.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define EXACT_MOST 50 /* values of both sides */

/* ---- the test ---- */

static int by_value(const void *left, const void *right)
{
    const struct cs_rank_value *a = left, *b = right;
    return a->value < b->value ? -1 : a->value > b->value;
}

/* Values that are equal share the mean of their ranks. Doubled ranks are integers: those of the new side, added up.
 *ties: the sum of t^3 - t over groups of t equal values. */
static size_t add_doubled_ranks(const struct cs_rank_value *values, size_t count, size_t *doubled, double *ties)
{
    size_t sum = 0;
    *ties = 0;
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && values[end].value == values[i].value)
            end++;
        double equal = (double)(end - i);
        *ties += equal * equal * equal - equal;
        for (size_t k = i; k < end; k++) {
            doubled[k] = i + 1 + end; /* ranks i + 1 to end */
            sum += values[k].new_side ? doubled[k] : 0;
        }
        i = end;
    }
    return sum;
}

/* The number of choices of `chosen` values that have each sum of doubled ranks, from 0 to *sums - 1. NULL: out of
   memory; free it by free(). */
static double *count_choices(const size_t *doubled, size_t count, size_t chosen, size_t *sums)
{
    *sums = count * (count + 1) + 1; /* 0 to the sum of all */
    double *ways = calloc((chosen + 1) * *sums, sizeof *ways);
    if (!ways)
        return NULL;
    ways[0] = 1;
    for (size_t i = 0; i < count; i++) /* ways[k * *sums + s]: to choose k of the values so far with the sum s */
        for (size_t k = i < chosen ? i + 1 : chosen; k > 0; k--)
            for (size_t s = *sums - 1; s >= doubled[i]; s--)
                ways[k * *sums + s] += ways[(k - 1) * *sums + s - doubled[i]];
    memmove(ways, ways + chosen * *sums, *sums * sizeof *ways);
    return ways;
}

/* The part of all choices of `chosen` values whose sum of doubled ranks is as far from the middle as `sum`, or further.
 */
static double find_exact(const size_t *doubled, size_t count, size_t chosen, size_t sum)
{
    size_t sums;
    double *ways = count_choices(doubled, count, chosen, &sums);
    if (!ways)
        return -1;
    size_t middle = chosen * (count + 1);
    size_t distance = sum > middle ? sum - middle : middle - sum;
    double all = 0, far = 0;
    for (size_t s = 0; s < sums; s++) {
        all += ways[s];
        far += (s > middle ? s - middle : middle - s) >= distance ? ways[s] : 0;
    }
    free(ways);
    return far / all;
}

static double find_normal(double count, double chosen, double sum, double ties)
{
    double others = count - chosen;
    double u = sum / 2 - chosen * (chosen + 1) / 2, mean = chosen * others / 2;
    double variance = chosen * others / 12 * (count + 1 - ties / (count * (count - 1)));
    double distance = fabs(u - mean) - 0.5;
    return variance <= 0 || distance <= 0 ? 1 : erfc(distance / sqrt(2 * variance));
}

double cs_rank_test(struct cs_rank_value *values, size_t count)
{
    size_t chosen = 0;
    for (size_t i = 0; i < count; i++)
        chosen += values[i].new_side;
    if (chosen == 0 || chosen == count)
        return 1;
    size_t *doubled = calloc(count, sizeof *doubled);
    if (!doubled)
        return -1;
    qsort(values, count, sizeof *values, by_value);
    double ties;
    size_t sum = add_doubled_ranks(values, count, doubled, &ties);
    double p = count <= EXACT_MOST ? find_exact(doubled, count, chosen, sum)
                                   : find_normal((double)count, (double)chosen, (double)sum, ties);
    free(doubled);
    return p;
}

/* ---- the interval ---- */

/* How many of the smallest differences lie below an interval of 95 %, and as many above. -1: out of memory. */
static double count_outside(size_t count, size_t chosen)
{
    double pairs = (double)(chosen * (count - chosen)), below = 0, all = 0;
    if (count > EXACT_MOST)
        return fmax(floor(pairs / 2 - 1.96 * sqrt(pairs * (double)(count + 1) / 12)), 0);
    size_t ranks[EXACT_MOST], sums;
    for (size_t i = 0; i < count; i++)
        ranks[i] = 2 * (i + 1);
    double *ways = count_choices(ranks, count, chosen, &sums);
    if (!ways)
        return -1;
    for (size_t s = 0; s < sums; s++)
        all += ways[s];
    size_t outside = 0; /* the least sum is that of the lowest ranks; each further one adds a difference */
    for (size_t s = chosen * (chosen + 1); s < sums && below + ways[s] <= 0.025 * all; s += 2, outside++)
        below += ways[s];
    free(ways);
    return (double)outside;
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

enum cs_status cs_rank_interval(const struct cs_rank_value *values, size_t count, struct cs_rank_interval *interval)
{
    size_t chosen = 0, pairs = 0;
    for (size_t i = 0; i < count; i++)
        chosen += values[i].new_side;
    *interval = (struct cs_rank_interval){.known = false};
    if (chosen == 0 || chosen == count)
        return CS_OK;
    double outside = count_outside(count, chosen);
    double *difference = calloc(chosen * (count - chosen), sizeof *difference);
    if (outside < 0 || !difference) {
        free(difference);
        return CS_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            if (values[i].new_side && !values[k].new_side)
                difference[pairs++] = values[i].value - values[k].value;
    qsort(difference, pairs, sizeof *difference, by_size);
    if (outside >= 1)
        *interval = (struct cs_rank_interval){
            .known = true, .low = difference[(size_t)outside - 1], .high = difference[pairs - (size_t)outside]};
    free(difference);
    return CS_OK;
}

/* ---- in SQL ---- */

struct sample {
    struct cs_rank_value *value;
    size_t count, room;
    bool real; /* a value is no integer */
};

static void add_value(sqlite3_context *context, sqlite3_value *value, bool new_side)
{
    struct sample *sample = sqlite3_aggregate_context(context, sizeof *sample);
    if (!sample || sqlite3_value_type(value) == SQLITE_NULL)
        return;
    if (!cs_array_grow(&sample->value, sample->count, &sample->room, sizeof *sample->value)) {
        sqlite3_result_error_nomem(context);
        return;
    }
    sample->real |= sqlite3_value_type(value) != SQLITE_INTEGER;
    sample->value[sample->count++] = (struct cs_rank_value){.value = sqlite3_value_double(value), .new_side = new_side};
}

static void median_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    add_value(context, values[0], false);
}

static void median_final(sqlite3_context *context)
{
    struct sample *sample = sqlite3_aggregate_context(context, 0);
    if (!sample || sample->count == 0)
        return; /* NULL */
    qsort(sample->value, sample->count, sizeof *sample->value, by_value);
    double low = sample->value[(sample->count - 1) / 2].value, high = sample->value[sample->count / 2].value;
    double median = low + (high - low) / 2;
    /* an integer only if the double is exact */
    if (!sample->real && median == floor(median) && fabs(median) <= 9007199254740992.0)
        sqlite3_result_int64(context, (int64_t)median);
    else
        sqlite3_result_double(context, median);
    free(sample->value);
}

static void rank_test_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    add_value(context, values[1], sqlite3_value_int(values[0]) != 0);
}

static void rank_test_final(sqlite3_context *context)
{
    struct sample *sample = sqlite3_aggregate_context(context, 0);
    if (!sample || sample->count == 0)
        return; /* NULL */
    double p = cs_rank_test(sample->value, sample->count);
    free(sample->value);
    if (p < 0)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_double(context, p);
}

/* The user data says which end of the interval. */
static void interval_final(sqlite3_context *context)
{
    struct sample *sample = sqlite3_aggregate_context(context, 0);
    struct cs_rank_interval interval;
    if (!sample || sample->count == 0)
        return; /* NULL */
    if (cs_rank_interval(sample->value, sample->count, &interval) != CS_OK)
        sqlite3_result_error_nomem(context);
    else if (interval.known)
        sqlite3_result_double(context, sqlite3_user_data(context) ? interval.high : interval.low);
    free(sample->value);
}

enum cs_status cs_rank_test_add_functions(sqlite3 *db)
{
    static char high;
    const struct {
        const char *name;
        int arguments;
        void *data;
        void (*step)(sqlite3_context *, int, sqlite3_value **);
        void (*final)(sqlite3_context *);
    } functions[] = {{"median", 1, NULL, median_step, median_final},
                     {"rank_test", 2, NULL, rank_test_step, rank_test_final},
                     {"shift_low", 2, NULL, rank_test_step, interval_final},
                     {"shift_high", 2, &high, rank_test_step, interval_final}};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (sqlite3_create_function(db, functions[i].name, functions[i].arguments,
                                    SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, functions[i].data, NULL,
                                    functions[i].step, functions[i].final) != SQLITE_OK)
            return CS_SQL;
    return CS_OK;
}
