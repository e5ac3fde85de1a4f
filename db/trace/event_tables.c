#include "db/trace/event_tables.h"

#include <stdlib.h>

#include "db/trace/event_collectives.h"
#include "db/trace/event_deadlocks.h"
#include "db/trace/event_messages.h"
#include "db/trace/event_timeline.h"
#include "db/trace/event_times.h"
#include "db/trace/event_wait_sums.h"
#include "db/trace/rows_table.h"
#include "db/trace/schema.h"

/* The order of event_tables.sql. */
enum which { MESSAGE_PAIRS, WAITS, WAIT_SUMS, COLLECTIVES, PATH, CALL_TIMES, DEADLOCKS, TIMELINE };

struct scan {
    enum which which;
    struct cs_pass *pass;
    struct cs_partners *partners;
    struct cs_event_messages *messages;       /* NULL: the table has nothing about them */
    struct cs_event_collectives *collectives; /* NULL: likewise */
    struct cs_event_path *path;               /* NULL: another table */
    struct cs_event_timeline *timeline;       /* NULL: likewise */
    struct cs_event_wait_sums *sums;          /* NULL: likewise, or none yet */
    struct cs_event_rows rows;                /* of all but that */
    bool more;                                /* events */
};

/* ---- the pass ---- */

static int begin(void *context, struct cs_pass_thread *thread, const struct cs_pass_event *event)
{
    struct scan *scan = context;
    int result = scan->messages ? cs_event_messages_begin(scan->messages, thread, event) : SQLITE_OK;
    if (result == SQLITE_OK && scan->collectives)
        result = cs_event_collectives_take(scan->collectives, thread, event);
    return result;
}

static int end(void *context, struct cs_pass_thread *thread, const struct cs_pass_event *event)
{
    struct scan *scan = context;
    return scan->messages ? cs_event_messages_end(scan->messages, thread, event) : SQLITE_OK;
}

static void finish(struct scan *scan)
{
    if (scan->messages)
        cs_event_messages_finish(scan->messages);
    if (scan->collectives)
        cs_event_collectives_end(scan->collectives);
}

/* ---- reading a table ---- */

static void end_scan(void *context)
{
    struct scan *scan = context;
    cs_event_messages_free(scan->messages);
    cs_event_collectives_free(scan->collectives);
    cs_event_path_close(scan->path);
    cs_event_timeline_close(scan->timeline);
    cs_event_wait_sums_free(scan->sums);
    cs_partners_free(scan->partners);
    cs_pass_close(scan->pass);
    free(scan->rows.row);
    free(scan);
}

static const struct cs_pass_calls calls = {.begin = begin, .end = end};

static int begin_pass(struct scan *scan, sqlite3 *db)
{
    bool waits = scan->which == WAITS || scan->which == WAIT_SUMS;
    int result = cs_partners_read(db, &scan->partners);
    if (result != SQLITE_OK)
        return result;
    if (scan->which != COLLECTIVES)
        scan->messages = cs_event_messages_create(db, scan->pass, scan->partners, waits, &scan->rows);
    if (scan->which != MESSAGE_PAIRS)
        scan->collectives = cs_event_collectives_create(scan->pass, scan->partners, waits, &scan->rows);
    if ((scan->which != COLLECTIVES && !scan->messages) || (scan->which != MESSAGE_PAIRS && !scan->collectives))
        return SQLITE_NOMEM;
    return cs_pass_start(scan->pass, &calls, scan);
}

static int begin_what(struct scan *scan, sqlite3 *db)
{
    switch (scan->which) {
    case CALL_TIMES:
        return cs_event_call_times(db, scan->pass, &scan->rows);
    case DEADLOCKS:
        return cs_event_deadlocks(db, scan->pass, &scan->rows);
    case PATH:
        return cs_event_path_open(db, scan->pass, &scan->path);
    case TIMELINE:
        return cs_event_timeline_open(db, scan->pass, &scan->timeline);
    default:
        return begin_pass(scan, db);
    }
}

static int begin_scan(void *definition, sqlite3 *db, void **begun)
{
    struct scan *scan = calloc(1, sizeof *scan);
    if (!scan)
        return SQLITE_NOMEM;
    scan->which = (enum which)((const struct cs_table_definition *)definition - cs_computed_tables);
    scan->more = scan->which != CALL_TIMES && scan->which != DEADLOCKS;
    scan->rows.next = SIZE_MAX; /* before the first row */
    int result = cs_pass_open(db, &scan->pass);
    if (result == SQLITE_OK)
        result = begin_what(scan, db);
    if (result == SQLITE_OK)
        *begun = scan;
    else
        end_scan(scan);
    return result;
}

/* Adds the rows up, instead of having SQLite read them. */
static int add_up(struct scan *scan)
{
    for (size_t i = 0; scan->which == WAIT_SUMS && i < scan->rows.count; i++)
        if (!cs_event_wait_sums_add(&scan->sums, &scan->rows.row[i]))
            return SQLITE_NOMEM;
    if (scan->which == WAIT_SUMS)
        scan->rows.count = 0;
    if (!scan->more)
        cs_event_wait_sums_write(scan->sums, &scan->rows);
    return SQLITE_OK;
}

/* Goes on until there is a row, or no more event. */
static int next_row(void *context, bool *ended)
{
    struct scan *scan = context;
    int result = SQLITE_OK;
    if (scan->path)
        return cs_event_path_next(scan->path, ended);
    scan->rows.next++;
    while (result == SQLITE_OK && scan->rows.next == scan->rows.count && scan->more) {
        scan->rows.next = scan->rows.count = 0;
        result = scan->timeline ? cs_event_timeline_next(scan->timeline, &scan->rows, &scan->more)
                                : cs_pass_step(scan->pass, &scan->more);
        if (result == SQLITE_OK && !scan->more)
            finish(scan);
        if (result == SQLITE_OK)
            result = add_up(scan);
        if (scan->rows.failed)
            result = SQLITE_NOMEM;
    }
    *ended = scan->rows.next == scan->rows.count;
    return result;
}

static int give_value(void *context, int column, sqlite3_context *result)
{
    const struct scan *scan = context;
    if (scan->path) {
        cs_event_path_give(scan->path, column, result);
        return SQLITE_OK;
    }
    const struct cs_event_number *value = &scan->rows.row[scan->rows.next].value[column];
    if (column == 0 && (scan->which == WAITS || scan->which == WAIT_SUMS))
        sqlite3_result_text(result, cs_event_wait_word[value->value], -1, SQLITE_STATIC);
    else if (value->known)
        sqlite3_result_int64(result, value->value);
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
    int result = SQLITE_OK;
    for (size_t i = 0; result == SQLITE_OK && i < cs_computed_tables_count; i++) {
        const struct cs_table_definition *definition = &cs_computed_tables[i];
        const struct cs_rows_source source = {.context = (void *)definition,
                                              .columns = definition->bare,
                                              .begin = begin_scan,
                                              .end = end_scan,
                                              .next = next_row,
                                              .give = give_value,
                                              .rows = 1000000,
                                              .in_views = true};
        char *name = sqlite3_mprintf(SOURCE "%s", definition->name);
        result = name ? cs_rows_table_add(db, definition->name, &source) : SQLITE_NOMEM;
        if (result == SQLITE_OK)
            result = cs_rows_table_add(db, name, &source);
        sqlite3_free(name);
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
