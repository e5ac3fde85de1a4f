/* Tables that are computed from the events of all ranks: event_tables.sql declares them. */
#pragma once

#include <sqlite3.h>

#include "db/trace/event_rows.h"

/* Code of another folder that finds all rows of a table. */
struct cs_event_finder {
    int (*find)(sqlite3 *db, void *context, struct cs_event_rows *rows); /* returns SQLite's code */
    const char *const *words; /* the texts of the first column, by its number; NULL: it is a number */
    void *context;
};

/* Lets SQL on this connection read them. A read goes over all events. The connection keeps the pointers to what finds
   the rows of computed_gains and computed_forecasts. Returns SQLite's code. */
int cs_event_tables_add(sqlite3 *db, const struct cs_event_finder *gains, const struct cs_event_finder *forecasts);

/* Writes them into the database as tables, which views then read. Returns SQLite's code. */
int cs_event_tables_write(sqlite3 *db);

/* Computes the tables that the overview reads in one pass, for this connection, as temporary tables: temporary views
   read them. Returns SQLite's code. */
int cs_event_tables_share(sqlite3 *db);
