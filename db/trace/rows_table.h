/* A virtual table of rows that a function makes one after the other while SQLite reads them. A single
   INSERT ... SELECT from it is several times as fast as to bind and step each row. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>

struct cs_rows_source {
    void *context;
    /* The columns, as a CREATE TABLE that SQLite copies; NULL: c0, c1, ... */
    const char *columns;
    /* Begins to read from the first row: *scan is for the other functions, until `end`. NULL: the context is, and there
       is one reader at a time. An SQLite error code. */
    int (*begin)(void *context, sqlite3 *db, void **scan);
    void (*end)(void *scan);
    /* Makes the next row; *ended: there is none. An SQLite error code. */
    int (*next)(void *scan, bool *ended);
    /* Gives SQLite a value of the current row, which is valid until the next one. An SQLite error code. */
    int (*give)(void *scan, int column, sqlite3_context *result);
    sqlite3_int64 rows; /* about so many, for SQLite's plans; 0: unknown */
    bool in_views;      /* views may read it */
};

/* Adds a table of this name to the connection, which keeps a copy of `source` until it is closed or the table is
   removed. An SQLite error code. */
int cs_rows_table_add(sqlite3 *db, const char *name, const struct cs_rows_source *source);

/* Removes it. */
void cs_rows_table_remove(sqlite3 *db, const char *name);
