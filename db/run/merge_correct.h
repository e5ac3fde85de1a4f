/* Inside of the merge: ranks are copied by the time of day of their nodes, each trace opened once. When all have told
 * what they know of the clocks, the instants of those that stand wrong are moved where they lie. */
#pragma once

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "db/run/axis.h"
#include "db/run/merge_tables.h"

/* A rank that was copied. */
struct cs_merge_rank {
    int64_t rank;             /* in the run */
    size_t trace;             /* number of its trace */
    struct cs_axis_shift was; /* done to its instants */
};

struct cs_merge_ranks {
    struct cs_merge_rank *rank; /* to be freed */
    size_t count, room;
};

/* Keeps in mind whose rows the attached trace has. CS_CORRUPT, CS_NO_MEMORY: not logged. */
enum cs_status cs_merge_ranks_add(struct cs_merge_ranks *ranks, sqlite3 *db, const char *schema, size_t trace,
                                  const struct cs_merge_shift *shift);

/* Moves the ranks to the solved axis, whose zero is the first trace that says when it was, and writes into `process`
   what was found of their clocks. CS_NO_SPACE, CS_NO_MEMORY, CS_SQL: not logged. */
enum cs_status cs_merge_correct(sqlite3 *db, const struct cs_merge_ranks *ranks, const struct cs_axis *axis);
