/* Medians, and the test whether one side of a comparison has larger values than the other. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Fewer values of a side cannot differ significantly: with 3 and 3, complete separation has a probability of 0.1. */
#define CS_RANK_TEST_LEAST 4

struct cs_rank_value {
    double value;
    bool new_side;
};

/* Mann-Whitney U test, two-sided: the probability that values of one distribution are divided between the sides as
   unevenly as these, or more. Sorts the values. 1: a side has none. Out of memory: -1.

   H. B. Mann, D. R. Whitney: On a test of whether one of two random variables is stochastically larger than the other.
   Ann. Math. Statist. 18 (1947), 50-60. Exact, ties too: the distribution of the rank sum over all divisions of the
   values that were found, by the shift algorithm of B. Streitberg, J. Roehmel: Exact distributions for permutation and
   rank tests. Statistical Software Newsletter 12 (1986), 10-17. Beyond 50 values: by the normal distribution, with
   correction for ties and continuity. */
double cs_rank_test(struct cs_rank_value *values, size_t count);

/* By how much the values of the new side are larger: an interval that has the shift in 95 of 100 samples, or more. The
   differences of all pairs of both sides, without as many of the least and largest ones as this test allows (L. E.
   Moses, in: H. M. Walker, J. Lev: Statistical inference, 1953). With 4 and 4 values it goes from the least difference
   to the largest. Not known: too few values. CS_NO_MEMORY. */
struct cs_rank_interval {
    bool known;
    double low, high;
};
enum cs_status cs_rank_interval(const struct cs_rank_value *values, size_t count, struct cs_rank_interval *interval);

/* Adds SQL aggregates: median(value), without NULL, an integer where it is one; rank_test(new_side, value); the ends of
   the interval, shift_low(new_side, value) and shift_high. CS_SQL. */
enum cs_status cs_rank_test_add_functions(sqlite3 *db);
