/* The test of many figures of the same runs at once. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Finds p of each figure, so that the probability of any p <= 0.05 is 5 % at most if nothing changed, however many
   figures there are and however they depend on each other. 4 and 4 runs suffice: the least p is 2/70.

   value[f * runs + r]: figure f of run r, NAN if unknown; new_side[r]. The runs are divided anew between the sides, all
   figures of a run together: in every possible way, or, beyond 10,000 ways, in 9,999 of them. p is the part of the
   divisions in which any figure that is tested here differs as much as this one does; figures that differ more are left
   out of that (step-down maxT: P. H. Westfall, S. S. Young: Resampling-based multiple testing, 1993).

   A difference is that of the means of the logarithms, over their standard deviation + 1 %: without the 1 %, figures
   that hardly vary by chance would have the largest differences (V. G. Tusher, R. Tibshirani, G. Chu: Significance
   analysis of microarrays, PNAS 98 (2001)). CS_NO_MEMORY. */
enum cs_status cs_family_test(const double *value, const bool *new_side, size_t figures, size_t runs, double *p);

/* Adds the SQL aggregate family_test(figure, run, new_side, value): a JSON object of p by figure. CS_SQL. */
enum cs_status cs_family_test_add_function(sqlite3 *db);
