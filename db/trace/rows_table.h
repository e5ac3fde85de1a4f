/* A virtual table of rows that a function makes one after the other while SQLite reads them. A single
   INSERT ... SELECT from it is several times as fast as to bind and step each row. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>

struct cs_rows_source {
    /* Makes the next row; *ended: there is none. An SQLite error code. */
    int (*next)(void *context, bool *ended);
    /* Gives SQLite a value of the current row, which is valid until the next one. An SQLite error code. */
    int (*give)(void *context, int column, sqlite3_context *result);
    void *context;
};

/* Adds a table of this name with the columns c0, c1, ... to the connection, which uses `source` until it is closed or
   the table is removed. An SQLite error code. */
int cs_rows_table_add(sqlite3 *db, const char *name, struct cs_rows_source *source);

/* Removes it. */
void cs_rows_table_remove(sqlite3 *db, const char *name);
