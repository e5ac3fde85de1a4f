#include "db/trace/rows_table.h"

#include <stdio.h>
#include <stdlib.h>

#include "db/trace/trace_writer.h"

enum { COLUMNS = CS_ROW_VALUES + 1 }; /* with the rank */

struct table {
    sqlite3_vtab base;
    sqlite3 *db;
    const struct cs_rows_source *source;
};

struct cursor {
    sqlite3_vtab_cursor base;
    void *scan;
    bool begun; /* it is to be ended */
    sqlite3_int64 row;
    bool ended;
};

static const struct cs_rows_source *source_of(const sqlite3_vtab_cursor *cursor)
{
    return ((const struct table *)(const void *)cursor->pVtab)->source;
}

static int declare(sqlite3 *db, const struct cs_rows_source *source)
{
    if (source->columns)
        return sqlite3_declare_vtab(db, source->columns);
    char columns[32 + COLUMNS * sizeof ", c10"];
    int length = snprintf(columns, sizeof columns, "CREATE TABLE rows (c0");
    for (int i = 1; i < COLUMNS; i++)
        length += snprintf(columns + length, sizeof columns - (size_t)length, ", c%d", i);
    snprintf(columns + length, sizeof columns - (size_t)length, ")");
    return sqlite3_declare_vtab(db, columns);
}

static int connect_table(sqlite3 *db, void *context, int count, const char *const *words, sqlite3_vtab **made,
                         char **error)
{
    const struct cs_rows_source *source = context;
    (void)count;
    (void)words;
    (void)error;
    int result = declare(db, source);
    if (result == SQLITE_OK && source->in_views)
        result = sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS);
    if (result != SQLITE_OK)
        return result;
    struct table *table = calloc(1, sizeof *table);
    if (!table)
        return SQLITE_NOMEM;
    table->db = db;
    table->source = source;
    *made = &table->base;
    return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *table)
{
    free(table);
    return SQLITE_OK;
}

/* The only access is a full scan. */
static int plan(sqlite3_vtab *table, sqlite3_index_info *info)
{
    const struct cs_rows_source *source = ((const struct table *)(const void *)table)->source;
    info->estimatedCost = source->rows ? 10.0 * (double)source->rows : 1e6;
    if (source->rows)
        info->estimatedRows = source->rows;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **made)
{
    (void)table;
    struct cursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor)
        return SQLITE_NOMEM;
    *made = &cursor->base;
    return SQLITE_OK;
}

static void end_scan(struct cursor *cursor)
{
    if (cursor->begun)
        source_of(&cursor->base)->end(cursor->scan);
    cursor->begun = false;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
    struct cursor *cursor = (void *)base;
    end_scan(cursor);
    free(cursor);
    return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *base)
{
    struct cursor *cursor = (void *)base;
    cursor->row++;
    return source_of(base)->next(cursor->scan, &cursor->ended);
}

static int first_row(sqlite3_vtab_cursor *base, int plan_number, const char *plan_text, int count,
                     sqlite3_value **values)
{
    struct cursor *cursor = (void *)base;
    const struct cs_rows_source *source = source_of(base);
    (void)plan_number;
    (void)plan_text;
    (void)count;
    (void)values;
    end_scan(cursor);
    cursor->scan = source->context;
    if (source->begin) {
        int result =
            source->begin(source->context, ((const struct table *)(const void *)base->pVtab)->db, &cursor->scan);
        if (result != SQLITE_OK)
            return result;
        cursor->begun = true;
    }
    return next_row(base);
}

static int is_at_end(sqlite3_vtab_cursor *cursor)
{
    return ((const struct cursor *)(const void *)cursor)->ended;
}

static int give_column(sqlite3_vtab_cursor *cursor, sqlite3_context *result, int column)
{
    return source_of(cursor)->give(((const struct cursor *)(const void *)cursor)->scan, column, result);
}

static int give_row(sqlite3_vtab_cursor *cursor, sqlite3_int64 *row)
{
    *row = ((const struct cursor *)(const void *)cursor)->row;
    return SQLITE_OK;
}

int cs_rows_table_add(sqlite3 *db, const char *name, const struct cs_rows_source *source)
{
    /* Without xCreate, the module's table exists under its name, and SQL cannot create others. */
    static const sqlite3_module module = {
        .xConnect = connect_table,
        .xBestIndex = plan,
        .xDisconnect = disconnect_table,
        .xOpen = open_cursor,
        .xClose = close_cursor,
        .xFilter = first_row,
        .xNext = next_row,
        .xEof = is_at_end,
        .xColumn = give_column,
        .xRowid = give_row,
    };
    struct cs_rows_source *copy = malloc(sizeof *copy);
    if (!copy)
        return SQLITE_NOMEM;
    *copy = *source;
    return sqlite3_create_module_v2(db, name, &module, copy, free);
}

void cs_rows_table_remove(sqlite3 *db, const char *name)
{
    sqlite3_create_module(db, name, NULL, NULL);
}
