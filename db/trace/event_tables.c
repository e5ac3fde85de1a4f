#include "db/trace/event_tables.h"

#include <stdlib.h>

#include "db/trace/event_collectives.h"
#include "db/trace/event_messages.h"
#include "db/trace/event_timeline.h"
#include "db/trace/event_times.h"
#include "db/trace/schema.h"

/* The order of event_tables.sql. */
enum which { MESSAGE_PAIRS, WAITS, COLLECTIVES, PATH, CALL_TIMES, TIMELINE };

struct table {
    sqlite3_vtab base;
    sqlite3 *db;
    enum which which;
};

struct cursor {
    sqlite3_vtab_cursor base;
    struct cs_pass *pass;
    struct cs_partners *partners;
    struct cs_event_messages *messages;       /* NULL: the table has nothing about them */
    struct cs_event_collectives *collectives; /* NULL: likewise */
    struct cs_event_path *path;               /* NULL: another table */
    struct cs_event_timeline *timeline;       /* NULL: likewise */
    struct cs_event_rows rows;                /* of all but that */
    bool more;                                /* events, or rows of the path */
    sqlite3_int64 row;
};

/* ---- the pass ---- */

static int begin(void *context, struct cs_pass_thread *thread, const struct cs_pass_event *event)
{
    struct cursor *cursor = context;
    int result = cursor->messages ? cs_event_messages_begin(cursor->messages, thread, event) : SQLITE_OK;
    if (result == SQLITE_OK && cursor->collectives)
        result = cs_event_collectives_take(cursor->collectives, thread, event);
    return result;
}

static int end(void *context, struct cs_pass_thread *thread, const struct cs_pass_event *event)
{
    struct cursor *cursor = context;
    return cursor->messages ? cs_event_messages_end(cursor->messages, thread, event) : SQLITE_OK;
}

static void finish(struct cursor *cursor)
{
    if (cursor->messages)
        cs_event_messages_finish(cursor->messages);
    if (cursor->collectives)
        cs_event_collectives_end(cursor->collectives);
}

/* ---- the virtual table ---- */

static int connect_table(sqlite3 *db, void *definition, int count, const char *const *words, sqlite3_vtab **made,
                         char **error)
{
    (void)count;
    (void)words;
    (void)error;
    int result = sqlite3_declare_vtab(db, ((const struct cs_table_definition *)definition)->bare);
    if (result == SQLITE_OK)
        result = sqlite3_vtab_config(db, SQLITE_VTAB_INNOCUOUS); /* views may read it */
    if (result != SQLITE_OK)
        return result;
    struct table *table = calloc(1, sizeof *table);
    if (!table)
        return SQLITE_NOMEM;
    table->db = db;
    table->which = (enum which)((const struct cs_table_definition *)definition - cs_computed_tables);
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
    (void)table;
    info->estimatedCost = 1e7;
    info->estimatedRows = 1000000;
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

static void end_pass(struct cursor *cursor)
{
    cs_event_messages_free(cursor->messages);
    cs_event_collectives_free(cursor->collectives);
    cs_event_path_close(cursor->path);
    cs_event_timeline_close(cursor->timeline);
    cs_partners_free(cursor->partners);
    cs_pass_close(cursor->pass);
    free(cursor->rows.row);
    *cursor = (struct cursor){.base = cursor->base};
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
    end_pass((struct cursor *)(void *)cursor);
    free(cursor);
    return SQLITE_OK;
}

/* Goes on until there is a row, or no more event. */
static int make_row(struct cursor *cursor)
{
    bool ended = false;
    int result = SQLITE_OK;
    if (cursor->path) {
        result = cs_event_path_next(cursor->path, &ended);
        cursor->more = !ended;
        return result;
    }
    while (result == SQLITE_OK && cursor->rows.next == cursor->rows.count && cursor->more) {
        cursor->rows.next = cursor->rows.count = 0;
        result = cursor->timeline ? cs_event_timeline_next(cursor->timeline, &cursor->rows, &cursor->more)
                                  : cs_pass_step(cursor->pass, &cursor->more);
        if (result == SQLITE_OK && !cursor->more)
            finish(cursor);
        if (cursor->rows.failed)
            result = SQLITE_NOMEM;
    }
    return result;
}

static int next_row(sqlite3_vtab_cursor *base)
{
    struct cursor *cursor = (void *)base;
    cursor->rows.next++;
    cursor->row++;
    return make_row(cursor);
}

static const struct cs_pass_calls calls = {.begin = begin, .end = end};

static int begin_pass(struct cursor *cursor, const struct table *table)
{
    bool waits = table->which == WAITS;
    int result = cs_partners_read(table->db, &cursor->partners);
    if (result != SQLITE_OK)
        return result;
    if (table->which != COLLECTIVES)
        cursor->messages = cs_event_messages_create(table->db, cursor->pass, cursor->partners, waits, &cursor->rows);
    if (table->which != MESSAGE_PAIRS)
        cursor->collectives = cs_event_collectives_create(cursor->pass, cursor->partners, waits, &cursor->rows);
    if ((table->which != COLLECTIVES && !cursor->messages) || (table->which != MESSAGE_PAIRS && !cursor->collectives))
        return SQLITE_NOMEM;
    return cs_pass_start(cursor->pass, &calls, cursor);
}

static int first_row(sqlite3_vtab_cursor *base, int plan_number, const char *plan_text, int count,
                     sqlite3_value **values)
{
    struct cursor *cursor = (void *)base;
    const struct table *table = (const struct table *)(const void *)base->pVtab;
    (void)plan_number;
    (void)plan_text;
    (void)count;
    (void)values;
    end_pass(cursor);
    int result = cs_pass_open(table->db, &cursor->pass);
    if (result == SQLITE_OK && table->which == CALL_TIMES)
        return cs_event_call_times(table->db, cursor->pass, &cursor->rows);
    if (result == SQLITE_OK && table->which == PATH)
        result = cs_event_path_open(table->db, cursor->pass, &cursor->path);
    else if (result == SQLITE_OK && table->which == TIMELINE)
        result = cs_event_timeline_open(table->db, cursor->pass, &cursor->timeline);
    else if (result == SQLITE_OK)
        result = begin_pass(cursor, table);
    cursor->more = true;
    return result == SQLITE_OK ? make_row(cursor) : result;
}

static int is_at_end(sqlite3_vtab_cursor *base)
{
    const struct cursor *cursor = (const struct cursor *)(const void *)base;
    return cursor->path ? !cursor->more : cursor->rows.next == cursor->rows.count;
}

static int give_column(sqlite3_vtab_cursor *base, sqlite3_context *result, int column)
{
    const struct cursor *cursor = (const struct cursor *)(const void *)base;
    const struct table *table = (const struct table *)(const void *)base->pVtab;
    if (cursor->path) {
        cs_event_path_give(cursor->path, column, result);
        return SQLITE_OK;
    }
    const struct cs_event_number *value = &cursor->rows.row[cursor->rows.next].value[column];
    if (column == 0 && table->which == WAITS)
        sqlite3_result_text(result, cs_event_wait_word[value->value], -1, SQLITE_STATIC);
    else if (value->known)
        sqlite3_result_int64(result, value->value);
    return SQLITE_OK;
}

static int give_row(sqlite3_vtab_cursor *cursor, sqlite3_int64 *row)
{
    *row = ((const struct cursor *)(const void *)cursor)->row;
    return SQLITE_OK;
}

/* ---- all ---- */

/* Each table has two names: a table of the file comes before a virtual one, and is made of it. */
#define SOURCE "source_of_"

/* SQLite connects a table when it is first named, which a connection that only reads would refuse. */
static int connect_now(sqlite3 *db, const char *name)
{
    sqlite3_stmt *statement = NULL;
    char *sql = sqlite3_mprintf("SELECT 1 FROM %s", name);
    int result = sql ? sqlite3_prepare_v2(db, sql, -1, &statement, NULL) : SQLITE_NOMEM;
    sqlite3_finalize(statement);
    sqlite3_free(sql);
    return result;
}

int cs_event_tables_add(sqlite3 *db)
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
    int result = SQLITE_OK;
    for (size_t i = 0; result == SQLITE_OK && i < cs_computed_tables_count; i++) {
        const struct cs_table_definition *definition = &cs_computed_tables[i];
        char *source = sqlite3_mprintf(SOURCE "%s", definition->name);
        result = source ? sqlite3_create_module(db, definition->name, &module, (void *)definition) : SQLITE_NOMEM;
        if (result == SQLITE_OK)
            result = sqlite3_create_module(db, source, &module, (void *)definition);
        sqlite3_free(source);
        if (result == SQLITE_OK)
            result = connect_now(db, definition->name);
    }
    return result;
}

int cs_event_tables_write(sqlite3 *db)
{
    int result = sqlite3_exec(db, "BEGIN", NULL, NULL, NULL);
    for (size_t i = 0; result == SQLITE_OK && i < cs_computed_tables_count; i++) {
        const struct cs_table_definition *definition = &cs_computed_tables[i];
        char *sql = sqlite3_mprintf("%s; INSERT INTO main.%s SELECT * FROM " SOURCE "%s", definition->sql,
                                    definition->name, definition->name);
        result = sql ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
        sqlite3_free(sql);
    }
    int ended = sqlite3_exec(db, result == SQLITE_OK ? "COMMIT" : "ROLLBACK", NULL, NULL, NULL);
    return result == SQLITE_OK ? ended : result;
}
