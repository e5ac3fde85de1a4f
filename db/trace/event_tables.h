/* Tables that are computed from the events of all ranks: event_tables.sql declares them. */
#pragma once

#include <sqlite3.h>

/* Lets SQL on this connection read them. A read goes over all events. Returns SQLite's code. */
int cs_event_tables_add(sqlite3 *db);

/* Writes them into the database as tables, which views then read. Returns SQLite's code. */
int cs_event_tables_write(sqlite3 *db);

/* Computes the tables that the overview reads in one pass, for this connection, as temporary tables: temporary views
   read them. Returns SQLite's code. */
int cs_event_tables_share(sqlite3 *db);
