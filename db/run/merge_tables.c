#include "db/run/merge_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "db/trace/trace_writer.h"

enum cs_status cs_merge_status(sqlite3 *db, int result)
{
    if (result == SQLITE_OK)
        return CS_OK;
    switch (sqlite3_extended_errcode(db)) {
    case SQLITE_NOMEM:
    case SQLITE_IOERR_NOMEM:
        return CS_NO_MEMORY;
    case SQLITE_FULL:
        return CS_NO_SPACE;
    case SQLITE_IOERR_WRITE: /* only our database is written */
    case SQLITE_IOERR_TRUNCATE:
    case SQLITE_IOERR_GETTEMPPATH:
        return CS_SQL;
    default:
        return CS_CORRUPT;
    }
}

const char *cs_merge_message(sqlite3 *db)
{
    /* Messages quote content of the file, which may be any bytes. */
    static char message[256];
    snprintf(message, sizeof message, "%s", sqlite3_errmsg(db));
    for (char *c = message; *c; c++)
        if (*c < 0x20 || *c > 0x7e)
            *c = '?';
    return message;
}

bool cs_merge_query_integer(sqlite3 *db, const char *sql, const char *text, int64_t *answer)
{
    sqlite3_stmt *query;
    if (sqlite3_prepare_v2(db, sql, -1, &query, NULL) != SQLITE_OK)
        return false;
    if (text)
        sqlite3_bind_text(query, 1, text, -1, SQLITE_STATIC);
    bool found = sqlite3_step(query) == SQLITE_ROW;
    if (found)
        *answer = sqlite3_column_int64(query, 0);
    return sqlite3_finalize(query) == SQLITE_OK && found;
}

/* A view in place of a table would run SQL of the file; a virtual table would run a module's code on its data.
   SQLite itself checks that type and name in the file's schema match the definition, and rejects a view here: no
   such table. */
bool cs_merge_has_table(sqlite3 *db, const char *schema, const char *table)
{
    char sql[96];
    int64_t plain = 0;
    snprintf(sql, sizeof sql, "SELECT sql GLOB 'CREATE TABLE *' FROM %s.sqlite_schema WHERE name = ?1", schema);
    return cs_merge_query_integer(db, sql, table, &plain) && plain &&
           sqlite3_table_column_metadata(db, schema, table, NULL, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

int64_t cs_merge_zero(const struct cs_axis_shift *shift)
{
    double ns = -(double)shift->offset_ns / (1 + shift->drift);
    return fabs(ns) < 9e18 ? llround(ns) : 0;
}

/* Binds the parameters of the copying statements (gen/model_tables.py). A table without times or ranks lacks some
   parameters; SQLITE_RANGE is no error here. */
static void bind(sqlite3_stmt *copy, const struct cs_merge_shift *shift)
{
    sqlite3_bind_int64(copy, 1, shift->on_axis.offset_ns);
    sqlite3_bind_int64(copy, 2, shift->rank);
    sqlite3_bind_int64(copy, 3, cs_merge_zero(&shift->on_axis));
}

static enum cs_status copy_table(sqlite3 *db, const char *path, const struct cs_merge_statement *statement,
                                 const struct cs_merge_shift *shift)
{
    sqlite3_stmt *copy;
    int result = sqlite3_prepare_v2(db, statement->copy, -1, &copy, NULL);
    if (result == SQLITE_OK) {
        bind(copy, shift);
        sqlite3_step(copy);
        result = sqlite3_finalize(copy);
    }
    enum cs_status status = cs_merge_status(db, result);
    if (status == CS_CORRUPT)
        cs_log("%s is damaged: table %s: %s; left out", path, statement->table, cs_merge_message(db));
    return status;
}

enum cs_status cs_merge_tables(sqlite3 *db, const char *path, const struct cs_merge_shift *shift)
{
    enum cs_status status = CS_OK;
    for (size_t i = 0; status == CS_OK && i < cs_merge_statements_count; i++) {
        const struct cs_merge_statement *statement = &cs_merge_statements[i];
        if (cs_merge_has_table(db, CS_MERGE_ATTACHED, statement->table)) {
            status = copy_table(db, path, statement, shift);
        } else {
            cs_log("%s is damaged: it has no table %s; left out", path, statement->table);
            status = CS_CORRUPT;
        }
    }
    return status;
}
