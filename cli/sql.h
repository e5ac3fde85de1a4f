/* SQL that somebody typed, and that of reports. */
#pragma once

#include <sqlite3.h>

#include "base/status.h"

/* Prepares one statement; anything behind it but comments is an error. NULL: logged in one line, with SQLite's message
   and where in the text it is. */
sqlite3_stmt *cs_sql_prepare(sqlite3 *db, const char *sql);

/* Prepares the first of several statements and moves *sql behind it. NULL with CS_OK: only comments are left. CS_SQL:
   logged likewise. */
enum cs_status cs_sql_next(sqlite3 *db, const char **sql, sqlite3_stmt **statement);
