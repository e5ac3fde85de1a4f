#include "db/run/merge_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"

/* Points in time; every other *_ns column is a duration. */
static const char *const instants[] = {"began_ns",      "init_ns",       "finalize_ns", "last_seen_ns", "found_dead_ns",
                                       "last_since_ns", "created_ns",    "freed_ns",    "at_ns",        "ready_ns",
                                       "first_ns",      "last_ns",       "since_ns",    "until_ns",     "entered_ns",
                                       "left_ns",       "inner_since_ns"};

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
    case SQLITE_IOERR_WRITE: /* only ours is written */
    case SQLITE_IOERR_TRUNCATE:
    case SQLITE_IOERR_GETTEMPPATH:
        return CS_SQL;
    default:
        return CS_CORRUPT;
    }
}

const char *cs_merge_message(sqlite3 *db)
{
    /* Messages quote what was found in a file, which can be any bytes. */
    static char message[256];
    snprintf(message, sizeof message, "%s", sqlite3_errmsg(db));
    for (char *c = message; *c; c++)
        if (*c < 0x20 || *c > 0x7e)
            *c = '?';
    return message;
}

bool cs_merge_ask(sqlite3 *db, const char *sql, const char *text, int64_t *answer)
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

/* A view in place of a table would run the file's SQL and not ours, a virtual table a module's code on the file's data.
   SQLite itself checks that type and name in the file's schema are those of the definition; it says no such table of a
   view here. */
bool cs_merge_has_table(sqlite3 *db, const char *schema, const char *table)
{
    char sql[96];
    int64_t plain = 0;
    snprintf(sql, sizeof sql, "SELECT sql GLOB 'CREATE TABLE *' FROM %s.sqlite_schema WHERE name = ?1", schema);
    return cs_merge_ask(db, sql, table, &plain) && plain &&
           sqlite3_table_column_metadata(db, schema, table, NULL, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

bool cs_merge_is_instant(const char *column)
{
    for (size_t i = 0; i < sizeof instants / sizeof *instants; i++)
        if (strcmp(column, instants[i]) == 0)
            return true;
    return false;
}

/* What is bound to the statements that copy. */
enum parameter {
    BY_OFFSET = 1,
    BY_RANK,
    BY_ZERO, /* the instant of the trace that is 0 in the run */
};

static bool is_zero(const char *column)
{
    return strcmp(column, "zero_utc_ns") == 0 || strcmp(column, "zero_monotonic_ns") == 0;
}

/* Writes how a column is copied: as it is, or moved in time or rank. from: its name in the source. With the
   table's name in front, because SQLite takes a quoted name of a column that is not there for a text. */
static void write_expression(sqlite3_str *sql, const char *table, const char *column, const char *from)
{
    bool process = strcmp(table, "process") == 0;
    if (strcmp(column, "rank") == 0)
        sqlite3_str_appendf(sql, "t.rank + ?%d", BY_RANK);
    else if (cs_merge_is_instant(column))
        sqlite3_str_appendf(sql, "t.\"%w\" + ?%d", from, BY_OFFSET);
    else if (process && is_zero(column))
        sqlite3_str_appendf(sql, "t.\"%w\" + ?%d", from, BY_ZERO);
    else if (process && strcmp(column, "clock_offset_ns") == 0)
        sqlite3_str_appendf(sql, "coalesce(t.\"%w\", 0) + ?%d", from, BY_OFFSET);
    else
        sqlite3_str_appendf(sql, "t.\"%w\"", from);
}

/* The statement that copies a table; table and column names come from our own schema. NULL: the message is in db. */
static char *write_copy(sqlite3 *db, const struct cs_merge_source *source, const char *table)
{
    /* The name of each column here and in the source, where older traces may have a former one. */
    static const char list[] = "WITH renamed (name, former) AS (VALUES ('created_ns', 'born_ns'), ('created', 'made'),"
                               " ('last_seen_ns', 'seen_ns'), ('found_dead_ns', 'found_ns'), ('state', 'doing'))"
                               " SELECT c.name, c.\"notnull\", (SELECT s.name FROM pragma_table_info(?1, ?2) s WHERE "
                               "s.name IN (c.name, r.former))"
                               " FROM pragma_table_info(?1, 'main') c LEFT JOIN renamed r ON r.name = c.name";
    sqlite3_stmt *columns;
    if (sqlite3_prepare_v2(db, list, -1, &columns, NULL) != SQLITE_OK)
        return NULL;
    sqlite3_bind_text(columns, 1, table, -1, SQLITE_STATIC);
    sqlite3_bind_text(columns, 2, source->schema, -1, SQLITE_STATIC);
    sqlite3_str *names = sqlite3_str_new(db);
    sqlite3_str *values = sqlite3_str_new(db);
    for (int n = 0; sqlite3_step(columns) == SQLITE_ROW; n++) {
        const char *column = (const char *)sqlite3_column_text(columns, 0);
        const char *from = source->old ? (const char *)sqlite3_column_text(columns, 2) : column;
        sqlite3_str_appendf(names, "%s\"%w\"", n ? ", " : "", column);
        sqlite3_str_appendall(values, n ? ", " : "");
        if (from)
            write_expression(values, table, column, from);
        else /* 0 is "none" where NULL is not allowed */
            sqlite3_str_appendall(values, sqlite3_column_int(columns, 1) ? "0" : "NULL");
    }
    sqlite3_finalize(columns);
    char *name_list = sqlite3_str_finish(names);
    char *value_list = sqlite3_str_finish(values);
    char *sql = NULL;
    if (name_list && value_list)
        sql = sqlite3_mprintf("INSERT OR IGNORE INTO main.\"%w\" (%s) SELECT %s FROM %s.\"%w\" t", table, name_list,
                              value_list, source->schema, table);
    sqlite3_free(name_list);
    sqlite3_free(value_list);
    return sql;
}

int64_t cs_merge_zero(const struct cs_axis_shift *shift)
{
    double ns = -(double)shift->offset_ns / (1 + shift->drift);
    return fabs(ns) < 9e18 ? llround(ns) : 0;
}

/* Tables without times or ranks have no such parameters: SQLITE_RANGE is no error here. */
static void bind(sqlite3_stmt *copy, const struct cs_merge_shift *shift)
{
    sqlite3_bind_int64(copy, BY_OFFSET, shift->on_axis.offset_ns);
    sqlite3_bind_int64(copy, BY_RANK, shift->rank);
    sqlite3_bind_int64(copy, BY_ZERO, cs_merge_zero(&shift->on_axis));
}

static enum cs_status copy_table(sqlite3 *db, const struct cs_merge_source *source, const char *table,
                                 const struct cs_merge_shift *shift)
{
    char *sql = write_copy(db, source, table);
    if (!sql)
        return CS_NO_MEMORY;
    sqlite3_stmt *copy;
    int result = sqlite3_prepare_v2(db, sql, -1, &copy, NULL);
    sqlite3_free(sql);
    if (result == SQLITE_OK) {
        bind(copy, shift);
        sqlite3_step(copy);
        result = sqlite3_finalize(copy);
    }
    enum cs_status status = cs_merge_status(db, result);
    if (status == CS_CORRUPT)
        cs_log("%s is damaged: table %s: %s; left out", source->path, table, cs_merge_message(db));
    return status;
}

enum cs_status cs_merge_tables(sqlite3 *db, const struct cs_merge_source *source, const struct cs_merge_shift *shift)
{
    sqlite3_stmt *tables;
    static const char list[] =
        "SELECT o.name, NOT EXISTS (SELECT 1 FROM pragma_table_info(o.name, ?1)) FROM main.sqlite_schema o"
        " WHERE o.type = 'table'";
    if (sqlite3_prepare_v2(db, list, -1, &tables, NULL) != SQLITE_OK)
        return CS_SQL;
    sqlite3_bind_text(tables, 1, source->schema, -1, SQLITE_STATIC);
    enum cs_status status = CS_OK;
    while (status == CS_OK && sqlite3_step(tables) == SQLITE_ROW) {
        const char *table = (const char *)sqlite3_column_text(tables, 0);
        if (source->old && sqlite3_column_int(tables, 1))
            continue;
        if (cs_merge_has_table(db, source->schema, table)) {
            status = copy_table(db, source, table, shift);
        } else {
            cs_log("%s is damaged: it has no table %s; left out", source->path, table);
            status = CS_CORRUPT;
        }
    }
    sqlite3_finalize(tables);
    return status;
}
