#include "db/run/rows_table.h"

#include <stdlib.h>

#include "db/trace/trace_writer.h"

static const char name[] = "callsign_rows"; /* as in gen/model_tables.py */

enum { COLUMNS = CS_ROW_VALUES + 1 };

struct source {
    cs_next_row *next;
    void *context;
};

struct table {
    sqlite3_vtab base;
    const struct source *source;
};

struct cursor {
    sqlite3_vtab_cursor base;
    const struct cs_kept_value *row; /* NULL: at the end */
};

static int connect(sqlite3 *db, void *source, int argc, const char *const *argv, sqlite3_vtab **made, char **error)
{
    (void)argc;
    (void)argv;
    (void)error;
    sqlite3_str *sql = sqlite3_str_new(db);
    sqlite3_str_appendall(sql, "CREATE TABLE rows (c0");
    for (int i = 1; i < COLUMNS; i++)
        sqlite3_str_appendf(sql, ", c%d", i);
    sqlite3_str_appendall(sql, ")");
    char *text = sqlite3_str_finish(sql);
    struct table *table = calloc(1, sizeof *table);
    int result = text && table ? sqlite3_declare_vtab(db, text) : SQLITE_NOMEM;
    sqlite3_free(text);
    if (result != SQLITE_OK) {
        free(table);
        return result;
    }
    table->source = source;
    *made = &table->base;
    return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *table)
{
    free(table);
    return SQLITE_OK;
}

static int plan(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table;
    info->estimatedCost = 1000;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **made)
{
    (void)table;
    struct cursor *cursor = calloc(1, sizeof *cursor);
    *made = cursor ? &cursor->base : NULL;
    return cursor ? SQLITE_OK : SQLITE_NOMEM;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
    free(cursor);
    return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *base)
{
    struct cursor *cursor = (struct cursor *)base;
    const struct source *source = ((const struct table *)base->pVtab)->source;
    int result = SQLITE_OK;
    cursor->row = source->next(source->context, &result);
    return result;
}

static int begin_rows(sqlite3_vtab_cursor *cursor, int plan_number, const char *plan_text, int argc,
                      sqlite3_value **argv)
{
    (void)plan_number;
    (void)plan_text;
    (void)argc;
    (void)argv;
    return next_row(cursor);
}

static int is_at_end(sqlite3_vtab_cursor *cursor)
{
    return !((const struct cursor *)cursor)->row;
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *result, int number)
{
    const struct cs_kept_value *value = &((const struct cursor *)cursor)->row[number];
    if (value->type == SQLITE_INTEGER)
        sqlite3_result_int64(result, value->integer);
    else if (value->type == SQLITE_FLOAT)
        sqlite3_result_double(result, value->real);
    else if (value->type == SQLITE_TEXT)
        sqlite3_result_text64(result, value->bytes, value->length, SQLITE_STATIC, SQLITE_UTF8);
    else if (value->type == SQLITE_BLOB)
        sqlite3_result_blob64(result, value->bytes, value->length, SQLITE_STATIC);
    return SQLITE_OK;
}

static int row_number(sqlite3_vtab_cursor *cursor, sqlite3_int64 *number)
{
    (void)cursor;
    *number = 0;
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .xConnect = connect,
    .xBestIndex = plan,
    .xDisconnect = disconnect,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = begin_rows,
    .xNext = next_row,
    .xEof = is_at_end,
    .xColumn = column,
    .xRowid = row_number,
};

int cs_rows_table_add(sqlite3 *db, cs_next_row *next, void *context)
{
    struct source *source = malloc(sizeof *source);
    if (!source)
        return SQLITE_NOMEM;
    *source = (struct source){.next = next, .context = context};
    return sqlite3_create_module_v2(db, name, &module, source, free); /* frees it, too, if it fails */
}

void cs_rows_table_remove(sqlite3 *db)
{
    sqlite3_create_module(db, name, NULL, NULL);
}
