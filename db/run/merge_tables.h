/* Inside of the merge: the rows of one trace, attached to the database of all ranks, are copied there. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "db/run/axis.h"

/* What is added to ranks and times of a file. */
struct cs_merge_shift {
    int64_t rank;
    struct cs_axis_shift on_axis; /* to the zero of the run, without drift */
};

#define CS_MERGE_ATTACHED "one" /* the name of the trace that is being copied; gen/model_tables.py has it too */

/* Copies all tables of the attached trace; path: for messages. CS_CORRUPT: the file is damaged (logged); CS_NO_SPACE,
   CS_NO_MEMORY, CS_SQL: the database of all ranks failed (not logged). Some rows may have been copied then. */
enum cs_status cs_merge_tables(sqlite3 *db, const char *path, const struct cs_merge_shift *shift);

/* Whether the file has a plain table of this name, whose content is data and nothing else. */
bool cs_merge_has_table(sqlite3 *db, const char *schema, const char *table);

/* The instant of a trace that becomes 0. */
int64_t cs_merge_zero(const struct cs_axis_shift *shift);

/* One integer of a query with at most one text parameter; false: no row, or an error. */
bool cs_merge_ask(sqlite3 *db, const char *sql, const char *text, int64_t *answer);

/* What SQLite said, fit for a terminal. Valid until the next call. */
const char *cs_merge_message(sqlite3 *db);

/* Why a statement failed. CS_CORRUPT: for reasons that lie in the files that it reads. */
enum cs_status cs_merge_status(sqlite3 *db, int result);
