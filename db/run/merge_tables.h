/* Internal to the merge: copies the rows of one trace, attached to the database of all ranks. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "db/run/axis.h"

/* Shifts of a file's ranks and times. */
struct cs_merge_shift {
    int64_t rank;
    struct cs_axis_shift on_axis; /* conversion to the zero of the run, without drift */
};

#define CS_MERGE_ATTACHED "one" /* schema name of the trace that is copied; gen/model_tables.py has it too */

/* Copies all tables of the attached trace; path: for messages. CS_CORRUPT: the file is damaged (logged);
   CS_NO_SPACE, CS_NO_MEMORY, CS_SQL: the database of all ranks failed (not logged). After an error some rows may
   have been copied. */
enum cs_status cs_merge_tables(sqlite3 *db, const char *path, const struct cs_merge_shift *shift);

/* True if the file has a plain table with this name. */
bool cs_merge_has_table(sqlite3 *db, const char *schema, const char *table);

/* The instant of a trace that becomes 0. */
int64_t cs_merge_zero(const struct cs_axis_shift *shift);

/* Runs a query for one integer, with at most one text parameter. Returns false if there is no row, or an error. */
bool cs_merge_query_integer(sqlite3 *db, const char *sql, const char *text, int64_t *answer);

/* SQLite's message, safe for a terminal. Valid until the next call. */
const char *cs_merge_message(sqlite3 *db);

/* The status for a failed statement. CS_CORRUPT: the files that it reads are the cause. */
enum cs_status cs_merge_status(sqlite3 *db, int result);
