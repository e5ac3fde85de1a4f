/* Reads the rows of a query in C. */
#pragma once

#include <sqlite3.h>

/* Calls `add` with each row until it returns another code than SQLITE_OK. Returns that code, or SQLite's. */
static inline int cs_each_row(sqlite3 *db, const char *sql, int (*add)(void *context, sqlite3_stmt *row), void *context)
{
    sqlite3_stmt *row = NULL;
    int result = sqlite3_prepare_v2(db, sql, -1, &row, NULL);
    while (result == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW)
        result = add(context, row);
    int read = sqlite3_finalize(row);
    return result == SQLITE_OK ? read : result;
}
