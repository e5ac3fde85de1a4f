/* The rank test of callsign compare, against all divisions of the values and against published results. */
#include <math.h>
#include <stdlib.h>

#include "cli/compare/compare_rank_test.h"
#include "tests/support/unit_test.h"

enum { MOST = 12 };

/* The U of a division: pairs in which the new side is larger, ties half. */
static double find_u(const struct cs_rank_value *values, unsigned count, unsigned chosen)
{
    double u = 0;
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < count; k++)
            if ((chosen >> i & 1) && !(chosen >> k & 1))
                u += values[i].value > values[k].value ? 1 : values[i].value == values[k].value ? 0.5 : 0;
    return u;
}

/* By trying every division. */
static double find_by_hand(const struct cs_rank_value *values, unsigned count)
{
    unsigned mine = 0;
    for (unsigned i = 0; i < count; i++)
        mine |= values[i].new_side ? 1u << i : 0;
    unsigned size = (unsigned)__builtin_popcount(mine);
    double middle = size * (count - size) / 2.0, distance = fabs(find_u(values, count, mine) - middle);
    double all = 0, far = 0;
    for (unsigned chosen = 0; chosen < 1u << count; chosen++) {
        if ((unsigned)__builtin_popcount(chosen) != size)
            continue;
        all++;
        far += fabs(find_u(values, count, chosen) - middle) >= distance - 1e-9;
    }
    return far / all;
}

static void agrees_with_every_division(void **state)
{
    (void)state;
    srand(7);
    for (int round = 0; round < 60; round++) {
        struct cs_rank_value values[MOST];
        unsigned count = 2 + (unsigned)rand() % (MOST - 1);
        for (unsigned i = 0; i < count; i++) /* few different values: many ties */
            values[i] = (struct cs_rank_value){.value = rand() % (round % 2 ? 1000 : 4),
                                               .new_side = i == 0 || (i > 1 && rand() % 2)};
        double expected = find_by_hand(values, count);
        assert_true(fabs(cs_rank_test(values, count) - expected) < 1e-12);
    }
}

static double test(const double *base, size_t base_count, const double *new, size_t new_count)
{
    struct cs_rank_value values[200];
    for (size_t i = 0; i < base_count; i++)
        values[i] = (struct cs_rank_value){.value = base[i]};
    for (size_t i = 0; i < new_count; i++)
        values[base_count + i] = (struct cs_rank_value){.value = new[i], .new_side = true};
    return cs_rank_test(values, base_count + new_count);
}

static void agrees_with_published_results(void **state)
{
    (void)state;
    /* the example of scipy.stats.mannwhitneyu: U = 17, exact p = 0.1111 */
    static const double males[] = {19, 22, 16, 29, 24}, females[] = {20, 11, 17, 12};
    assert_true(fabs(test(males, 5, females, 4) - 14.0 / 126) < 1e-12);
    static const double low[] = {1, 2, 3, 4}, high[] = {5, 6, 7, 8};
    assert_true(fabs(test(low, 4, high, 4) - 2.0 / 70) < 1e-12);
    assert_true(fabs(test(low, 3, high, 3) - 0.1) < 1e-12);
}

static void three_runs_of_a_side_are_never_significant(void **state)
{
    (void)state;
    static const double low[] = {1, 2, 3}, high[] = {5, 6, 7};
    assert_true(test(low, CS_RANK_TEST_LEAST - 1, high, CS_RANK_TEST_LEAST - 1) > 0.05);
}

static void one_side_alone_and_equal_values_prove_nothing(void **state)
{
    (void)state;
    static const double values[] = {1, 2, 3, 4}, equal[] = {5, 5, 5, 5};
    assert_true(test(values, 4, NULL, 0) == 1);
    assert_true(test(NULL, 0, values, 4) == 1);
    assert_true(test(equal, 4, equal, 4) == 1);
}

static void many_values_are_like_the_normal_distribution(void **state)
{
    (void)state;
    double base[30], new[30];
    for (int i = 0; i < 30; i++) {
        base[i] = i;
        new[i] = i + 10;
    }
    double many = test(base, 30, new, 30), exact = test(base, 25, new, 25);
    assert_true(many > 0 && many < 0.001 && exact > 0 && exact < 0.001);
    for (int i = 0; i < 30; i++)
        new[i] = base[i];
    assert_true(test(base, 30, new, 30) == 1);
}

/* The differences of all pairs, by hand. Of those of 5 and 4 values one is left out at each end: U = 1 has p <= 0.05.
 */
static void interval_leaves_out_as_many_differences_as_the_test_allows(void **state)
{
    (void)state;
    struct cs_rank_value values[9];
    struct cs_rank_interval interval;
    for (size_t i = 0; i < 9; i++)
        values[i] = (struct cs_rank_value){.value = (double)(i < 5 ? i * i : 40 + i), .new_side = i >= 5};
    assert_int_equal(cs_rank_interval(values, 8, &interval), CS_OK); /* 5 and 3: from the least to the largest */
    assert_true(interval.known && interval.low == 45 - 16 && interval.high == 47 - 0);
    assert_int_equal(cs_rank_interval(values, 9, &interval), CS_OK);
    assert_true(interval.known && interval.low == 46 - 16 && interval.high == 48 - 1);
    assert_int_equal(cs_rank_interval(values + 2, 6, &interval), CS_OK); /* 3 and 3 */
    assert_false(interval.known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_every_division),
        cmocka_unit_test(agrees_with_published_results),
        cmocka_unit_test(three_runs_of_a_side_are_never_significant),
        cmocka_unit_test(one_side_alone_and_equal_values_prove_nothing),
        cmocka_unit_test(interval_leaves_out_as_many_differences_as_the_test_allows),
        cmocka_unit_test(many_values_are_like_the_normal_distribution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
