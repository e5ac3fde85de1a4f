/* The test of many figures at once: its promise, and what it finds. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "cli/compare/compare_family_test.h"
#include "tests/support/unit_test.h"

enum { FIGURES = 20, RUNS = 20, ROUNDS = 400 };

static uint64_t state_of_random = 88172645463325252;

static double draw_uniform(void)
{
    state_of_random = state_of_random * 6364136223846793005 + 1442695040888963407;
    return ((double)(state_of_random >> 33) + 0.5) / 2147483648.0;
}

static double draw_normal(void)
{
    return sqrt(-2 * log(draw_uniform())) * cos(6.283185307179586 * draw_uniform());
}

/* Times of a program: each figure has its own noise, each run a part that all of its figures share, and some values are
   far too large, as on a machine that others use. */
static void draw_runs(double *value, size_t runs, double noise)
{
    double shared[RUNS];
    for (size_t r = 0; r < runs; r++)
        shared[r] = draw_normal() * noise / 2;
    for (size_t f = 0; f < FIGURES; f++) {
        double own = f == 0 ? noise : noise * exp(0.7 * draw_normal());
        for (size_t r = 0; r < runs; r++)
            value[f * runs + r] =
                exp(own * draw_normal() + shared[r] + (draw_uniform() < 0.02 ? fabs(draw_normal()) : 0));
    }
}

static void divide(bool *new_side, size_t runs)
{
    for (size_t r = 0; r < runs; r++)
        new_side[r] = r >= runs / 2;
}

/* The percentage of comparisons in which the first figure, or any other, has p <= 0.05. */
static void count_accepted(size_t runs, double noise, double factor, double *first, double *others)
{
    static double value[FIGURES * RUNS];
    double p[FIGURES];
    bool new_side[RUNS];
    divide(new_side, runs);
    *first = *others = 0;
    for (int round = 0; round < ROUNDS; round++) {
        draw_runs(value, runs, noise);
        for (size_t r = runs / 2; r < runs; r++)
            value[r] *= factor;
        assert_int_equal(cs_family_test(value, new_side, FIGURES, runs, p), CS_OK);
        bool any = false;
        for (size_t f = 1; f < FIGURES; f++)
            any |= p[f] <= 0.05;
        *first += p[0] <= 0.05 ? 100.0 / ROUNDS : 0;
        *others += any ? 100.0 / ROUNDS : 0;
    }
}

/* 5 % of 400 comparisons are 20; 33 or more have a probability of 0.3 %. */
static void unchanged_program_is_accused_in_5_percent_of_comparisons_at_most(void **state)
{
    (void)state;
    for (size_t runs = 8; runs <= 10; runs += 2) {
        double first, others;
        count_accepted(runs, 0.1, 1, &first, &others);
        print_message("%zu runs: %.1f %% and %.1f %%\n", runs, first, others);
        assert_true(first + others < 8.25);
    }
}

static void change_by_half_is_found_with_4_runs_of_each_side(void **state)
{
    (void)state;
    static const struct {
        size_t runs;
        double noise, least;
    } cases[] = {{8, 0.03, 90}, {8, 0.05, 80}, {10, 0.1, 55}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double first, others;
        count_accepted(cases[i].runs, cases[i].noise, 1.5, &first, &others);
        print_message("%zu runs, noise %.0f %%: found %.1f %%, others %.1f %%\n", cases[i].runs, cases[i].noise * 100,
                      first, others);
        assert_true(first >= cases[i].least);
        assert_true(others < 8.25);
    }
}

static void least_p_is_that_of_two_divisions_of_all(void **state)
{
    (void)state;
    static const double value[] = {1, 1.1, 1.2, 1.3, 5, 5.1, 5.2, 5.3, /* */ 3, 1, 4, 1, 5, 9, 2, 6,
                                   0, 0,   0,   0,   2, 2,   2,   2,   /* */ 7, 7, 7, 7, 7, 7, 7, 7};
    bool new_side[8];
    double p[4];
    divide(new_side, 8);
    assert_int_equal(cs_family_test(value, new_side, 4, 8, p), CS_OK);
    assert_true(fabs(p[0] - 2.0 / 70) < 1e-12 && fabs(p[2] - 2.0 / 70) < 1e-12);
    assert_true(p[1] > 0.05);
    assert_true(p[3] == 1);
}

static void unknown_values_are_left_out(void **state)
{
    (void)state;
    double value[2 * 10];
    bool new_side[10];
    double p[2];
    divide(new_side, 10);
    for (size_t r = 0; r < 10; r++) {
        value[r] = r == 0 || r == 9 ? NAN : (double)(r + 1) + (r >= 5 ? 40 : 0);
        value[10 + r] = NAN;
    }
    assert_int_equal(cs_family_test(value, new_side, 2, 10, p), CS_OK);
    assert_true(p[0] <= 0.05);
    assert_true(p[1] == 1);
}

static void many_runs_are_divided_by_chance_and_always_alike(void **state)
{
    (void)state;
    double value[FIGURES * RUNS], p[FIGURES], again[FIGURES];
    bool new_side[RUNS];
    divide(new_side, RUNS);
    draw_runs(value, RUNS, 0.05);
    for (size_t r = RUNS / 2; r < RUNS; r++)
        value[r] *= 2;
    assert_int_equal(cs_family_test(value, new_side, FIGURES, RUNS, p), CS_OK);
    assert_int_equal(cs_family_test(value, new_side, FIGURES, RUNS, again), CS_OK);
    assert_memory_equal(p, again, sizeof p);
    assert_true(p[0] <= 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unchanged_program_is_accused_in_5_percent_of_comparisons_at_most),
        cmocka_unit_test(change_by_half_is_found_with_4_runs_of_each_side),
        cmocka_unit_test(least_p_is_that_of_two_divisions_of_all),
        cmocka_unit_test(unknown_values_are_left_out),
        cmocka_unit_test(many_runs_are_divided_by_chance_and_always_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
