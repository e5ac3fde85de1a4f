/* Reads the rows of a SELECT by column name. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct cs_rows {
    sqlite3_stmt *statement;
    enum cs_status status;
};

/* Begins to read. Errors are logged, and cs_rows_end returns them. */
struct cs_rows cs_rows_begin(sqlite3 *db, const char *sql);

/* Goes to the next row; the first call goes to the first. Returns false at the end or after an error. */
bool cs_rows_next(struct cs_rows *rows);

/* Values of this row. A column that the SELECT lacks is an error. NULL is 0 or a NULL text. A text is valid until
   the next row. */
bool cs_rows_has(struct cs_rows *rows, const char *column); /* true if it is not NULL */
int64_t cs_rows_integer(struct cs_rows *rows, const char *column);
double cs_rows_real(struct cs_rows *rows, const char *column);
const char *cs_rows_text(struct cs_rows *rows, const char *column);

/* Ends reading. Returns CS_SQL if there was an error, which was logged. */
enum cs_status cs_rows_end(struct cs_rows *rows);
