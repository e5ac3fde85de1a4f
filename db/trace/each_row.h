/* Reads the rows of a query in C, and runs statements with one text. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

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

/* Runs a query for one integer, with at most one text parameter. Returns false if there is no row, or an error. */
static inline bool cs_merge_query_integer(sqlite3 *db, const char *sql, const char *text, int64_t *answer)
{
    sqlite3_stmt *query;
    if (sqlite3_prepare_v2(db, sql, -1, &query, NULL) != SQLITE_OK)
        return false;
    if (text)
        sqlite3_bind_text(query, 1, text, -1, SQLITE_STATIC);
    bool found = sqlite3_step(query) == SQLITE_ROW;
    if (found)
        *answer = sqlite3_column_int64(query, 0);
    return sqlite3_finalize(query) == SQLITE_OK && found;
}

/* Whether a condition, with at most one text parameter, is true. */
static inline bool cs_query_is_true(sqlite3 *db, const char *sql, const char *text)
{
    int64_t answer = 0;
    return cs_merge_query_integer(db, sql, text, &answer) && answer;
}

/* Runs a statement without rows that has one text parameter. Returns SQLite's code. */
static inline int cs_execute_with(sqlite3 *db, const char *sql, const char *text)
{
    sqlite3_stmt *statement;
    int result = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (result != SQLITE_OK)
        return result;
    sqlite3_bind_text(statement, 1, text, -1, SQLITE_STATIC);
    sqlite3_step(statement);
    return sqlite3_finalize(statement);
}
