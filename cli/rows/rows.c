#include "cli/rows/rows.h"

#include <string.h>

#include "base/log.h"
#include "cli/rows/sql.h"

struct cs_rows cs_rows_begin(sqlite3 *db, const char *sql)
{
    struct cs_rows rows = {.statement = cs_sql_prepare(db, sql), .status = CS_OK};
    if (!rows.statement)
        rows.status = CS_SQL; /* logged */
    return rows;
}

bool cs_rows_next(struct cs_rows *rows)
{
    if (rows->status != CS_OK)
        return false;
    int step = sqlite3_step(rows->statement);
    if (step != SQLITE_ROW && step != SQLITE_DONE) {
        rows->status = CS_SQL;
        cs_log("%s", sqlite3_errmsg(sqlite3_db_handle(rows->statement)));
    }
    return step == SQLITE_ROW;
}

/* The index of the column; -1: no such column, logged. */
static int find_column(struct cs_rows *rows, const char *column)
{
    for (int i = 0; i < sqlite3_column_count(rows->statement); i++)
        if (strcmp(column, sqlite3_column_name(rows->statement, i)) == 0)
            return i;
    rows->status = CS_SQL;
    cs_log("there is no column %s in: %s", column, sqlite3_sql(rows->statement));
    return -1;
}

bool cs_rows_has(struct cs_rows *rows, const char *column)
{
    int i = find_column(rows, column);
    return i >= 0 && sqlite3_column_type(rows->statement, i) != SQLITE_NULL;
}

int64_t cs_rows_integer(struct cs_rows *rows, const char *column)
{
    int i = find_column(rows, column);
    return i >= 0 ? sqlite3_column_int64(rows->statement, i) : 0;
}

double cs_rows_real(struct cs_rows *rows, const char *column)
{
    int i = find_column(rows, column);
    return i >= 0 ? sqlite3_column_double(rows->statement, i) : 0;
}

const char *cs_rows_text(struct cs_rows *rows, const char *column)
{
    int i = find_column(rows, column);
    return i >= 0 ? (const char *)sqlite3_column_text(rows->statement, i) : NULL;
}

enum cs_status cs_rows_end(struct cs_rows *rows)
{
    sqlite3_finalize(rows->statement);
    rows->statement = NULL;
    return rows->status;
}
