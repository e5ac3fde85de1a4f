/* Prepares SQL from users and reports. */
#pragma once

#include <sqlite3.h>

/* Prepares one statement; only comments may follow it. NULL: one line was logged, with SQLite's message and its
   position in the text. */
sqlite3_stmt *cs_sql_prepare(sqlite3 *db, const char *sql);
