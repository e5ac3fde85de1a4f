/* SQL that somebody typed, and that of reports. */
#pragma once

#include <sqlite3.h>

/* Prepares one statement; anything behind it but comments is an error. NULL: logged in one line, with SQLite's message
   and where in the text it is. */
sqlite3_stmt *cs_sql_prepare(sqlite3 *db, const char *sql);
