/* Internal to the merge: a virtual table of rows that a function returns one after the other. A single
   INSERT ... SELECT from it writes several times as many rows a second as a statement for each row. */
#pragma once

#include <sqlite3.h>

#include "db/run/rank_reader.h"

/* Returns the values of the next row, as many as the statement names columns; NULL with SQLITE_OK in *result: there are
   no more; with another code: it failed. The values are valid until the next call. */
typedef const struct cs_kept_value *cs_next_row(void *context, int *result);

/* Adds the table `callsign_rows` with the columns c0, c1, ... to the connection. An SQLite error code. */
int cs_rows_table_add(sqlite3 *db, cs_next_row *next, void *context);

/* Removes it. */
void cs_rows_table_remove(sqlite3 *db);
