#include "db/trace/rows_source.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/utf8.h"

struct table {
    sqlite3_vtab base;
    struct cs_rows_source *source;
};

struct cursor {
    sqlite3_vtab_cursor base;
    sqlite3_int64 row;
    bool ended;
};

static struct cs_rows_source *source_of(const sqlite3_vtab_cursor *cursor)
{
    return ((const struct table *)(const void *)cursor->pVtab)->source;
}

static int connect_table(sqlite3 *db, void *source, int count, const char *const *words, sqlite3_vtab **made,
                         char **error)
{
    static const char columns[] =
        "CREATE TABLE source (c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14,"
        " c15, c16, c17, c18, c19, c20, c21, c22, c23)";
    (void)count;
    (void)words;
    (void)error;
    int result = sqlite3_declare_vtab(db, columns);
    if (result != SQLITE_OK)
        return result;
    struct table *table = calloc(1, sizeof *table);
    if (!table)
        return SQLITE_NOMEM;
    table->source = source;
    *made = &table->base;
    return SQLITE_OK;
}

static int disconnect_table(sqlite3_vtab *table)
{
    free(table);
    return SQLITE_OK;
}

/* There is one way to read it: from first to last. */
static int plan(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table;
    info->estimatedCost = 1e6;
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

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
    free(cursor);
    return SQLITE_OK;
}

static int next_row(sqlite3_vtab_cursor *base)
{
    struct cursor *cursor = (void *)base;
    struct cs_rows_source *source = source_of(base);
    cursor->ended = !source->next(source->context, source->value);
    cursor->row++;
    return SQLITE_OK;
}

static int first_row(sqlite3_vtab_cursor *cursor, int plan_number, const char *plan_text, int count,
                     sqlite3_value **values)
{
    (void)plan_number;
    (void)plan_text;
    (void)count;
    (void)values;
    return next_row(cursor);
}

static int is_at_end(sqlite3_vtab_cursor *cursor)
{
    return ((const struct cursor *)(const void *)cursor)->ended;
}

static int tell_column(sqlite3_vtab_cursor *cursor, sqlite3_context *result, int column)
{
    const struct cs_value *value = &source_of(cursor)->value[column];
    if (value->type == CS_VALUE_IS_INT) {
        sqlite3_result_int64(result, value->number);
    } else if (value->type != CS_VALUE_IS_TEXT) {
        sqlite3_result_null(result);
    } else {
        char *converted;
        const char *text = cs_utf8_of(value->text, &converted);
        if (!text)
            return SQLITE_NOMEM;
        sqlite3_result_text(result, text, -1, converted ? free : SQLITE_STATIC);
    }
    return SQLITE_OK;
}

static int tell_row(sqlite3_vtab_cursor *cursor, sqlite3_int64 *row)
{
    *row = ((const struct cursor *)(const void *)cursor)->row;
    return SQLITE_OK;
}

int cs_rows_source_add(sqlite3 *db, struct cs_rows_source *source)
{
    /* Without xCreate it is there by its name and cannot be made by SQL. */
    static const sqlite3_module module = {
        .xConnect = connect_table,
        .xBestIndex = plan,
        .xDisconnect = disconnect_table,
        .xOpen = open_cursor,
        .xClose = close_cursor,
        .xFilter = first_row,
        .xNext = next_row,
        .xEof = is_at_end,
        .xColumn = tell_column,
        .xRowid = tell_row,
    };
    return sqlite3_create_module(db, "source", &module, source);
}
