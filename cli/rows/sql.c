#include "cli/rows/sql.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "cli/rows/similar_name.h"

#define SNIPPET 24 /* characters of SQL that an error message shows */

/* Logs "no such table: comunicators" and suggests a name. */
static bool log_no_such_table(sqlite3 *db)
{
    static const char begin[] = "no such table: ";
    const char *message = sqlite3_errmsg(db);
    if (strncmp(message, begin, strlen(begin)) != 0)
        return false;
    char name[256];
    snprintf(name, sizeof name, "%s", message + strlen(begin));
    cs_similar_name_suggest(name);
    return true;
}

static void log_sql_error(sqlite3 *db, const char *sql)
{
    if (log_no_such_table(db))
        return;
    int offset = -1;
#if SQLITE_VERSION_NUMBER >= 3038000
    offset = sqlite3_error_offset(db);
#endif
    if (sqlite3_errcode(db) == SQLITE_AUTH)
        cs_log("only SELECT is possible on a run (%s)", sqlite3_errmsg(db));
    else if (offset >= 0)
        cs_log("SQL: %s, at character %d: %.*s", sqlite3_errmsg(db), offset + 1, SNIPPET, sql + offset);
    else
        cs_log("SQL: %s", sqlite3_errmsg(db));
}

/* True if only blanks and comments are left. */
static bool is_blank(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *rest = NULL;
    bool blank = sqlite3_prepare_v2(db, sql, -1, &rest, NULL) == SQLITE_OK && !rest;
    sqlite3_finalize(rest);
    return blank;
}

sqlite3_stmt *cs_sql_prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement;
    const char *rest;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, &rest) != SQLITE_OK) {
        log_sql_error(db, sql);
        return NULL;
    }
    if (!statement) {
        cs_log("there is no SQL to run; try: SELECT * FROM communicators");
        return NULL;
    }
    if (*rest && !is_blank(db, rest)) {
        cs_log("one SELECT at a time: a second statement begins at character %zu", (size_t)(rest - sql) + 1);
        sqlite3_finalize(statement);
        return NULL;
    }
    return statement;
}
