#include "cli/compare/compare_family_test.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cli/text/phrase.h"

#define WAYS_MOST       10000 /* divisions that are all tried */
#define LEAST_DEVIATION 0.01  /* relative: smaller changes are not told */
#define SAME_DIFFERENCE 1e-9  /* relative: rounding */

/* ---- divisions of the runs ---- */

struct division {
    bool *new_side;
    size_t runs, chosen, ways;
    size_t *chosen_run; /* of the new side, ascending; only if all ways are tried */
    uint64_t random;
};

static size_t count_ways(size_t runs, size_t chosen)
{
    double ways = 1;
    for (size_t i = 0; i < chosen; i++)
        ways = ways * (double)(runs - i) / (double)(i + 1);
    return ways <= WAYS_MOST ? (size_t)lround(ways) : WAYS_MOST;
}

/* The numbers of xorshift64 (G. Marsaglia, 2003), the same in every comparison. */
static size_t draw(struct division *division, size_t below)
{
    division->random ^= division->random << 13;
    division->random ^= division->random >> 7;
    division->random ^= division->random << 17;
    return (size_t)(division->random % below);
}

static void shuffle(struct division *division)
{
    for (size_t i = division->runs; i > 1; i--) {
        size_t other = draw(division, i);
        bool side = division->new_side[i - 1];
        division->new_side[i - 1] = division->new_side[other];
        division->new_side[other] = side;
    }
}

/* The choices in the order of the numbers of their runs. */
static void choose(struct division *division, size_t way)
{
    size_t *run = division->chosen_run, i = division->chosen;
    while (way > 0 && run[i - 1] == division->runs - division->chosen + i - 1)
        i--;
    size_t next = way > 0 ? run[--i] + 1 : (i = 0);
    for (; i < division->chosen; i++)
        run[i] = next++;
    memset(division->new_side, 0, division->runs * sizeof *division->new_side);
    for (i = 0; i < division->chosen; i++)
        division->new_side[run[i]] = true;
}

/* ---- the difference of a figure ---- */

/* Values as logarithms; 1 % of the mean is added, because there are zeros. */
static void take_logarithms(double *value, size_t runs)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < runs; i++)
        if (!isnan(value[i])) {
            sum += fmax(value[i], 0);
            count++;
        }
    for (size_t i = 0; i < runs; i++)
        if (!isnan(value[i]))
            value[i] = sum > 0 ? log(fmax(value[i], 0) * count / sum + LEAST_DEVIATION) : 0;
}

static double find_difference(const double *value, const bool *new_side, size_t runs)
{
    double count[2] = {0}, sum[2] = {0}, squares = 0;
    for (size_t i = 0; i < runs; i++)
        if (!isnan(value[i])) {
            count[new_side[i]]++;
            sum[new_side[i]] += value[i];
        }
    if (count[0] < 2 || count[1] < 2)
        return 0;
    for (size_t i = 0; i < runs; i++)
        if (!isnan(value[i])) {
            double distance = value[i] - sum[new_side[i]] / count[new_side[i]];
            squares += distance * distance;
        }
    double deviation = sqrt(squares / (count[0] + count[1] - 2));
    return fabs(sum[1] / count[1] - sum[0] / count[0]) /
           ((deviation + LEAST_DEVIATION) * sqrt(1 / count[0] + 1 / count[1]));
}

/* ---- the test ---- */

struct ordered {
    double difference, p;
    size_t figure;
};

static int by_difference(const void *left, const void *right)
{
    const struct ordered *a = left, *b = right;
    return a->difference < b->difference ? -1 : a->difference > b->difference;
}

/* Adds a division to p of each figure, from the least difference to the largest. */
static void add_division(struct ordered *ordered, const double *value, const bool *new_side, size_t figures,
                         size_t runs)
{
    double largest = 0;
    for (size_t i = 0; i < figures; i++) {
        largest = fmax(largest, find_difference(value + ordered[i].figure * runs, new_side, runs));
        ordered[i].p += largest >= ordered[i].difference * (1 - SAME_DIFFERENCE);
    }
}

static void try_divisions(struct ordered *ordered, const double *logarithm, struct division *division, size_t figures)
{
    for (size_t way = 0; way < division->ways; way++) {
        if (division->ways < WAYS_MOST)
            choose(division, way);
        else if (way > 0) /* the first one is that of the runs */
            shuffle(division);
        add_division(ordered, logarithm, division->new_side, figures, division->runs);
    }
}

/* Orders the figures and writes p of each; logarithm is overwritten. */
static void find_probabilities(struct ordered *ordered, double *logarithm, struct division *division, size_t figures,
                               double *p)
{
    for (size_t i = 0; i < figures; i++) {
        double *of_figure = logarithm + i * division->runs;
        take_logarithms(of_figure, division->runs);
        ordered[i].figure = i;
        ordered[i].difference = find_difference(of_figure, division->new_side, division->runs);
    }
    qsort(ordered, figures, sizeof *ordered, by_difference);
    try_divisions(ordered, logarithm, division, figures);
    double least = 0; /* a smaller difference has no smaller p */
    for (size_t i = figures; i > 0; i--) {
        least = fmax(least, ordered[i - 1].p / (double)division->ways);
        p[ordered[i - 1].figure] = least;
    }
}

enum cs_status cs_family_test(const double *value, const bool *new_side, size_t figures, size_t runs, double *p)
{
    struct division division = {.runs = runs, .random = UINT64_C(0x9e3779b97f4a7c15)};
    double *logarithm = calloc(figures * runs + 1, sizeof *logarithm);
    struct ordered *ordered = calloc(figures + 1, sizeof *ordered);
    division.new_side = calloc(runs + 1, sizeof *division.new_side);
    division.chosen_run = calloc(runs + 1, sizeof *division.chosen_run);
    bool room = logarithm && ordered && division.new_side && division.chosen_run;
    if (room) {
        memcpy(logarithm, value, figures * runs * sizeof *value);
        memcpy(division.new_side, new_side, runs * sizeof *new_side);
        for (size_t i = 0; i < runs; i++)
            division.chosen += new_side[i];
        division.ways = count_ways(runs, division.chosen);
        find_probabilities(ordered, logarithm, &division, figures, p);
    }
    free(logarithm);
    free(ordered);
    free(division.new_side);
    free(division.chosen_run);
    return room ? CS_OK : CS_NO_MEMORY;
}

/* ---- in SQL ---- */

struct sample {
    int64_t figure, run;
    double value;
    bool new_side;
};

struct family {
    struct sample *sample;
    size_t count, room;
};

static void family_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    struct family *family = sqlite3_aggregate_context(context, sizeof *family);
    if (!family || !cs_array_grow(&family->sample, family->count, &family->room, sizeof *family->sample)) {
        sqlite3_result_error_nomem(context);
        return;
    }
    bool known = sqlite3_value_type(values[3]) != SQLITE_NULL;
    family->sample[family->count++] = (struct sample){.figure = sqlite3_value_int64(values[0]),
                                                      .run = sqlite3_value_int64(values[1]),
                                                      .new_side = sqlite3_value_int(values[2]) != 0,
                                                      .value = known ? sqlite3_value_double(values[3]) : NAN};
}

static int by_figure_and_run(const void *left, const void *right)
{
    const struct sample *a = left, *b = right;
    return a->figure != b->figure ? cs_compare(a->figure, b->figure) : cs_compare(a->run, b->run);
}

/* Every figure has a sample of every run. */
static enum cs_status test_samples(const struct family *family, size_t runs, struct cs_phrase *json)
{
    const struct sample *sample = family->sample;
    double *value = calloc(family->count, sizeof *value), *p = calloc(family->count, sizeof *p);
    bool *new_side = calloc(runs, sizeof *new_side);
    enum cs_status status = value && p && new_side ? CS_OK : CS_NO_MEMORY;
    for (size_t i = 0; status == CS_OK && i < family->count; i++) {
        value[i] = sample[i].value;
        new_side[i % runs] = sample[i].new_side;
    }
    if (status == CS_OK)
        status = cs_family_test(value, new_side, family->count / runs, runs, p);
    for (size_t i = 0; status == CS_OK && i < family->count / runs; i++)
        cs_phrase_add(json, "%s\"%lld\":%.17g", i ? "," : "{", (long long)sample[i * runs].figure, p[i]);
    cs_phrase_add(json, "}");
    free(value);
    free(p);
    free(new_side);
    return json->failed ? CS_NO_MEMORY : status;
}

static void family_final(sqlite3_context *context)
{
    struct family *family = sqlite3_aggregate_context(context, 0);
    if (!family || family->count == 0)
        return; /* NULL */
    qsort(family->sample, family->count, sizeof *family->sample, by_figure_and_run);
    size_t runs = 1;
    while (runs < family->count && family->sample[runs].figure == family->sample[0].figure)
        runs++;
    struct cs_phrase json = {0};
    if (test_samples(family, runs, &json) == CS_OK)
        sqlite3_result_text(context, cs_phrase_text(&json), (int)json.length, SQLITE_TRANSIENT);
    else
        sqlite3_result_error_nomem(context);
    cs_phrase_free(&json);
    free(family->sample);
}

enum cs_status cs_family_test_add_function(sqlite3 *db)
{
    return sqlite3_create_function(db, "family_test", 4, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL,
                                   NULL, family_step, family_final) == SQLITE_OK
               ? CS_OK
               : CS_SQL;
}
