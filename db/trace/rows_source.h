/* Rows that are made one by one while SQLite reads them: a virtual table, from which one INSERT ... SELECT fills a real
   one. That is three times as fast as to bind and step each. */
#pragma once

#include <sqlite3.h>

#include "db/trace/rows.h"

/* What the table "source" tells; its columns are c0, c1, ... */
struct cs_rows_source {
    cs_rows_next *next;
    void *context;
    struct cs_value value[CS_ROW_VALUES]; /* the current row */
};

/* Makes the table known to a database. The source is the caller's and must outlive the connection. An SQLite code. */
int cs_rows_source_add(sqlite3 *db, struct cs_rows_source *source);
