/* The rows of a SELECT, read by the names of their columns. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct cs_rows {
    sqlite3_stmt *statement;
    enum cs_status status;
};

/* Begins to read. An error is logged, and cs_rows_end returns it. */
struct cs_rows cs_rows_begin(sqlite3 *db, const char *sql);

/* Goes to the next row, or to the first. False: there is none, or an error. */
bool cs_rows_next(struct cs_rows *rows);

/* Values of this row. A column that the SELECT does not have is an error. NULL is 0 and, as text, NULL. A text is valid
   until the next row. */
bool cs_rows_has(struct cs_rows *rows, const char *column); /* whether it is not NULL */
int64_t cs_rows_integer(struct cs_rows *rows, const char *column);
double cs_rows_real(struct cs_rows *rows, const char *column);
const char *cs_rows_text(struct cs_rows *rows, const char *column);

/* Ends reading. CS_SQL: there was an error, logged. */
enum cs_status cs_rows_end(struct cs_rows *rows);
