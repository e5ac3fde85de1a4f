#include "db/trace/event_tables.h"

#include <stdlib.h>
#include <string.h>

#include "db/trace/event_collectives.h"
#include "db/trace/event_deadlocks.h"
#include "db/trace/event_messages.h"
#include "db/trace/event_ranges.h"
#include "db/trace/event_timeline.h"
#include "db/trace/event_times.h"
#include "db/trace/event_wait_sums.h"
#include "db/trace/rows_table.h"
#include "db/trace/schema.h"

/* The order of event_tables.sql. */
enum which {
    MESSAGE_PAIRS,
    WAITS,
    WAIT_SUMS,
    COLLECTIVES,
    PATH,
    CALL_TIMES,
    DEADLOCKS,
    TIMELINE,
    RANGES,
    GAINS,
    FORECASTS
};

struct scan {
    enum which which;
    struct cs_pass *pass;
    struct cs_partners *partners;
    struct cs_event_messages *messages;       /* NULL: the table has nothing about them */
    struct cs_event_collectives *collectives; /* NULL: likewise */
    struct cs_event_path *path;               /* NULL: another table */
    struct cs_event_timeline *timeline;       /* NULL: likewise */
    struct cs_event_wait_sums *sums;          /* NULL: likewise, or none yet */
    struct cs_event_deadlocks *deadlocks;     /* NULL: likewise */
    struct cs_event_ranges *ranges;           /* NULL: likewise */
    struct cs_event_rows rows;                /* of all but the path */
    const char *const *words;                 /* of the first column; NULL: it is a number */
    bool more;                                /* events */
};

/* ---- the pass ---- */

static int begin(void *context, struct cs_pass_thread *thread, const struct cs_pass_event *event)
{
    struct scan *scan = context;
    int result = scan->messages ? cs_event_messages_begin(scan->messages, thread, event) : SQLITE_OK;
    if (result == SQLITE_OK && scan->collectives)
        result = cs_event_collectives_take(scan->collectives, thread, event);
    if (result == SQLITE_OK && scan->deadlocks)
        result = cs_event_deadlocks_take(scan->deadlocks, thread, event);
    if (scan->ranges)
        cs_event_ranges_take(scan->ranges, thread, event);
    return result;
}

static int end(void *context, struct cs_pass_thread *thread, const struct cs_pass_event *event)
{
    struct scan *scan = context;
    return scan->messages ? cs_event_messages_end(scan->messages, thread, event) : SQLITE_OK;
}

static int finish(struct scan *scan)
{
    if (scan->messages)
        cs_event_messages_finish(scan->messages);
    if (scan->collectives)
        cs_event_collectives_end(scan->collectives);
    return scan->deadlocks ? cs_event_deadlocks_finish(scan->deadlocks) : SQLITE_OK;
}

/* ---- reading a table ---- */

static void free_scan(struct scan *scan)
{
    cs_event_messages_free(scan->messages);
    cs_event_collectives_free(scan->collectives);
    cs_event_path_close(scan->path);
    cs_event_timeline_close(scan->timeline);
    cs_event_wait_sums_free(scan->sums);
    cs_event_deadlocks_free(scan->deadlocks);
    cs_event_ranges_free(scan->ranges);
    cs_partners_free(scan->partners);
    cs_pass_close(scan->pass);
    free(scan->rows.row);
}

static void end_scan(void *scan)
{
    free_scan(scan);
    free(scan);
}

static const struct cs_pass_calls calls = {.begin = begin, .end = end};

static int begin_pass(struct scan *scan, sqlite3 *db)
{
    bool waits = scan->which == WAITS || scan->which == WAIT_SUMS;
    bool deadlocks = scan->which == DEADLOCKS;
    bool messages = !deadlocks && scan->which != COLLECTIVES, collectives = !deadlocks && scan->which != MESSAGE_PAIRS;
    if (messages)
        scan->messages = cs_event_messages_create(db, scan->pass, scan->partners, waits, &scan->rows);
    if (collectives)
        scan->collectives = cs_event_collectives_create(scan->pass, scan->partners, waits, &scan->rows);
    if (deadlocks)
        scan->deadlocks = cs_event_deadlocks_create(db, scan->pass, scan->partners, &scan->rows);
    if ((messages && !scan->messages) || (collectives && !scan->collectives) || (deadlocks && !scan->deadlocks))
        return SQLITE_NOMEM;
    return cs_pass_start(scan->pass, &calls, scan);
}

static int begin_ranges(struct scan *scan, sqlite3 *db)
{
    scan->ranges = cs_event_ranges_create(NULL, scan->partners);
    int result = scan->ranges ? cs_event_ranges_read(scan->ranges, db, false) : SQLITE_NOMEM;
    if (result == SQLITE_OK)
        cs_event_ranges_write(scan->ranges, &scan->rows);
    return result;
}

static int begin_what(struct scan *scan, sqlite3 *db)
{
    switch (scan->which) {
    case CALL_TIMES:
        return cs_event_call_times(db, scan->pass, &scan->rows);
    case RANGES:
        return begin_ranges(scan, db);
    case PATH:
        return cs_event_path_open(db, scan->pass, &scan->path);
    case TIMELINE:
        return cs_event_timeline_open(db, scan->pass, &scan->timeline);
    default:
        return begin_pass(scan, db);
    }
}

static int open_scan(struct scan *scan, sqlite3 *db)
{
    int result = cs_pass_open(db, &scan->pass);
    return result == SQLITE_OK ? cs_partners_read(db, &scan->partners) : result;
}

static int begin_scan(void *definition, sqlite3 *db, void **begun)
{
    struct scan *scan = calloc(1, sizeof *scan);
    if (!scan)
        return SQLITE_NOMEM;
    scan->which = (enum which)((const struct cs_table_definition *)definition - cs_computed_tables);
    scan->more = scan->which != CALL_TIMES && scan->which != RANGES;
    scan->words = scan->which == WAITS || scan->which == WAIT_SUMS ? cs_event_wait_word : NULL;
    scan->rows.next = SIZE_MAX; /* before the first row */
    int result = open_scan(scan, db);
    if (result == SQLITE_OK)
        result = begin_what(scan, db);
    if (result == SQLITE_OK)
        *begun = scan;
    else
        end_scan(scan);
    return result;
}

/* Has other code find the rows. */
static int begin_found(void *context, sqlite3 *db, void **begun)
{
    const struct cs_event_finder *finder = context;
    struct scan *scan = calloc(1, sizeof *scan);
    if (!scan)
        return SQLITE_NOMEM;
    scan->which = GAINS;
    scan->words = finder->words;
    scan->rows.next = SIZE_MAX; /* before the first row */
    int result = finder->find(db, finder->context, &scan->rows);
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

/* Handles the next instant, if there is one. */
static int step_pass(struct scan *scan)
{
    int result = scan->timeline ? cs_event_timeline_next(scan->timeline, &scan->rows, &scan->more)
                                : cs_pass_step(scan->pass, &scan->more);
    if (result == SQLITE_OK && !scan->more)
        result = finish(scan);
    if (result == SQLITE_OK)
        result = add_up(scan);
    return scan->rows.failed ? SQLITE_NOMEM : result;
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
        result = step_pass(scan);
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
    if (column == 0 && scan->words)
        sqlite3_result_text(result, scan->words[value->value], -1, SQLITE_STATIC);
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

int cs_event_tables_add(sqlite3 *db, const struct cs_event_finder *gains, const struct cs_event_finder *forecasts)
{
    int result = SQLITE_OK;
    for (size_t i = 0; result == SQLITE_OK && i < cs_computed_tables_count; i++) {
        const struct cs_table_definition *definition = &cs_computed_tables[i];
        const struct cs_event_finder *finder = i == GAINS ? gains : i == FORECASTS ? forecasts : NULL;
        const struct cs_rows_source source = {.context = finder ? (void *)finder : (void *)definition,
                                              .columns = definition->bare,
                                              .begin = finder ? begin_found : begin_scan,
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

/* ---- several tables of one pass ---- */

/* Makes a temporary table of the rows of a scan. */
static int write_apart(sqlite3 *db, struct scan *scan)
{
    static const char name[] = SOURCE "found";
    const struct cs_table_definition *definition = &cs_computed_tables[scan->which];
    const struct cs_rows_source source = {
        .context = scan, .columns = definition->bare, .next = next_row, .give = give_value};
    scan->rows.next = SIZE_MAX;
    scan->more = false;
    char *sql = sqlite3_mprintf("CREATE TEMP%s; INSERT INTO temp.%s SELECT * FROM %s",
                                definition->bare + strlen("CREATE"), definition->name, name);
    int result = sql ? cs_rows_table_add(db, name, &source) : SQLITE_NOMEM;
    if (result == SQLITE_OK)
        result = sqlite3_exec(db, sql, NULL, NULL, NULL);
    cs_rows_table_remove(db, name);
    sqlite3_free(sql);
    return result;
}

/* Goes over the events once for the rows of all. */
static int find_together(sqlite3 *db, struct scan *sums, struct scan *deadlocks, struct scan *ranges)
{
    sums->deadlocks = cs_event_deadlocks_create(db, sums->pass, sums->partners, &deadlocks->rows);
    sums->ranges = cs_event_ranges_create(sums->pass, sums->partners);
    int result = sums->deadlocks && sums->ranges ? begin_pass(sums, db) : SQLITE_NOMEM;
    while (result == SQLITE_OK && sums->more)
        result = step_pass(sums);
    if (result == SQLITE_OK)
        result = cs_event_ranges_read(sums->ranges, db, true);
    if (result != SQLITE_OK)
        return result;
    cs_event_ranges_write(sums->ranges, &ranges->rows);
    return deadlocks->rows.failed || ranges->rows.failed ? SQLITE_NOMEM : SQLITE_OK;
}

int cs_event_tables_share(sqlite3 *db)
{
    struct scan sums = {.which = WAIT_SUMS, .more = true, .words = cs_event_wait_word},
                deadlocks = {.which = DEADLOCKS}, ranges = {.which = RANGES};
    int result = open_scan(&sums, db);
    if (result == SQLITE_OK)
        result = find_together(db, &sums, &deadlocks, &ranges);
    if (result == SQLITE_OK)
        result = write_apart(db, &sums);
    if (result == SQLITE_OK)
        result = write_apart(db, &deadlocks);
    if (result == SQLITE_OK)
        result = write_apart(db, &ranges);
    free_scan(&ranges);
    free_scan(&deadlocks);
    free_scan(&sums);
    return result;
}
