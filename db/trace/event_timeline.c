#include "db/trace/event_timeline.h"

#include <stdlib.h>

#include "base/hash_table.h"
#include "db/trace/each_row.h"

/* The time line has about so many parts of ranks; a rank has no more than if it were one of 4. */
enum { PARTS = 2000, RANKS_LEAST = 4, RANKS_MOST = 48 };

/* The columns of the table. */
enum { RANK, THREAD, FUNCTION, OBJECT, PART, EVENT, FROM, UNTIL, CALLS, INSIDE, SITE, PEER, TAG, BYTES, COLUMNS };

struct group {
    struct group_key {
        int64_t function, object, has_function, has_object;
    } key;
    UT_hash_handle hh;
    struct cs_event_row row;
};

struct cs_event_timeline {
    struct cs_pass *pass;
    sqlite3_stmt *calls;
    size_t thread; /* the next one */
    int64_t from_ns, part_ns;
    int64_t part; /* of the groups */
    struct group *groups;
    struct cs_event_rows *rows;
};

static const char span_sql[] =
    "SELECT min(start_ns), max(start_ns + duration_ns), count(DISTINCT rank) FROM main.event WHERE rank >= 0";

static int set_span(void *context, sqlite3_stmt *row)
{
    struct cs_event_timeline *timeline = context;
    int64_t ranks = sqlite3_column_int64(row, 2);
    ranks = ranks < RANKS_LEAST ? RANKS_LEAST : ranks > RANKS_MOST ? RANKS_MOST : ranks;
    timeline->from_ns = sqlite3_column_int64(row, 0);
    double part_ns = ((double)sqlite3_column_int64(row, 1) - (double)timeline->from_ns) * (double)ranks / PARTS;
    timeline->part_ns = part_ns > 1 && part_ns < 9e18 ? (int64_t)part_ns : 1;
    return SQLITE_OK;
}

static const char calls_sql[] = "SELECT event, function, object, start_ns, start_ns + duration_ns, duration_ns, calls,"
                                " coalesce(inside_ns, duration_ns), nullif(site, 0), peer, tag, bytes FROM main.event"
                                " WHERE rank = ?1 AND thread = ?2 ORDER BY event";
enum {
    CALL_EVENT,
    CALL_FUNCTION,
    CALL_OBJECT,
    CALL_START,
    CALL_END,
    CALL_DURATION,
    CALL_CALLS,
    CALL_INSIDE,
    CALL_SITE
};

static struct cs_event_number number_at(sqlite3_stmt *row, int column)
{
    return (struct cs_event_number){sqlite3_column_int64(row, column), sqlite3_column_type(row, column) != SQLITE_NULL};
}

static void keep_least(struct cs_event_number *least, struct cs_event_number number)
{
    if (number.known && (!least->known || number.value < least->value))
        *least = number;
}

static int write_groups(struct cs_event_timeline *timeline)
{
    for (const struct group *group = timeline->groups; group; group = group->hh.next) {
        struct cs_event_row *row = cs_event_rows_add(timeline->rows);
        if (!row)
            return SQLITE_NOMEM;
        *row = group->row;
    }
    CS_TABLE_FREE(timeline->groups);
    return SQLITE_OK;
}

static struct cs_event_row row_of(const struct cs_event_timeline *timeline, const struct cs_pass_thread *thread)
{
    sqlite3_stmt *call = timeline->calls;
    int64_t start_ns = sqlite3_column_int64(call, CALL_START), duration_ns = sqlite3_column_int64(call, CALL_DURATION);
    struct cs_event_row row = {{[RANK] = {thread->rank, true},
                                [THREAD] = {thread->thread, true},
                                [FUNCTION] = number_at(call, CALL_FUNCTION),
                                [OBJECT] = number_at(call, CALL_OBJECT),
                                [PART] = {cs_event_minus(start_ns, timeline->from_ns) / timeline->part_ns, true},
                                [EVENT] = {sqlite3_column_int64(call, CALL_EVENT), duration_ns >= timeline->part_ns},
                                [FROM] = {start_ns, true},
                                [UNTIL] = {sqlite3_column_int64(call, CALL_END), true},
                                [CALLS] = {sqlite3_column_int64(call, CALL_CALLS), true},
                                [INSIDE] = {sqlite3_column_int64(call, CALL_INSIDE), true}}};
    for (int i = SITE; i < COLUMNS; i++)
        row.value[i] = number_at(call, CALL_SITE + i - SITE);
    return row;
}

static int add_to_group(struct cs_event_timeline *timeline, const struct cs_event_row *row)
{
    const struct cs_event_number function = row->value[FUNCTION], object = row->value[OBJECT];
    const struct group_key key = {function.value, object.value, function.known, object.known};
    struct group *group;
    HASH_FIND(hh, timeline->groups, &key, sizeof key, group);
    if (!group) {
        group = calloc(1, sizeof *group);
        if (!group)
            return SQLITE_NOMEM;
        group->key = key;
        group->row = *row;
        CS_TABLE_ADD(timeline->groups, key, group);
        return group ? SQLITE_OK : SQLITE_NOMEM;
    }
    struct cs_event_number *sum = group->row.value;
    if (row->value[FROM].value < sum[FROM].value)
        sum[FROM] = row->value[FROM];
    if (row->value[UNTIL].value > sum[UNTIL].value)
        sum[UNTIL] = row->value[UNTIL];
    for (int i = CALLS; i <= INSIDE; i++)
        sum[i].value = cs_event_plus(sum[i].value, row->value[i].value);
    for (int i = SITE; i < COLUMNS; i++)
        keep_least(&sum[i], row->value[i]);
    return SQLITE_OK;
}

/* The view adds up groups of one part, if calls are not in order. */
static int add_call(struct cs_event_timeline *timeline, const struct cs_event_row *row)
{
    if (row->value[EVENT].known) {
        struct cs_event_row *added = cs_event_rows_add(timeline->rows);
        if (added)
            *added = *row;
        return added ? SQLITE_OK : SQLITE_NOMEM;
    }
    int result = SQLITE_OK;
    if (row->value[PART].value != timeline->part)
        result = write_groups(timeline);
    timeline->part = row->value[PART].value;
    return result == SQLITE_OK ? add_to_group(timeline, row) : result;
}

int cs_event_timeline_next(struct cs_event_timeline *timeline, struct cs_event_rows *rows, bool *more)
{
    *more = timeline->thread < cs_pass_threads(timeline->pass);
    if (!*more)
        return SQLITE_OK;
    const struct cs_pass_thread *thread = cs_pass_thread(timeline->pass, timeline->thread++);
    int result = SQLITE_OK;
    timeline->rows = rows;
    sqlite3_bind_int64(timeline->calls, 1, thread->rank);
    sqlite3_bind_int64(timeline->calls, 2, thread->thread);
    while (result == SQLITE_OK && sqlite3_step(timeline->calls) == SQLITE_ROW) {
        const struct cs_event_row row = row_of(timeline, thread);
        result = add_call(timeline, &row);
    }
    int read = sqlite3_reset(timeline->calls);
    if (result == SQLITE_OK)
        result = write_groups(timeline);
    return result == SQLITE_OK ? read : result;
}

int cs_event_timeline_open(sqlite3 *db, struct cs_pass *pass, struct cs_event_timeline **opened)
{
    struct cs_event_timeline *timeline = *opened = calloc(1, sizeof *timeline);
    if (!timeline)
        return SQLITE_NOMEM;
    timeline->pass = pass;
    int result = cs_each_row(db, span_sql, set_span, timeline);
    return result == SQLITE_OK ? sqlite3_prepare_v2(db, calls_sql, -1, &timeline->calls, NULL) : result;
}

void cs_event_timeline_close(struct cs_event_timeline *timeline)
{
    if (!timeline)
        return;
    CS_TABLE_FREE(timeline->groups);
    sqlite3_finalize(timeline->calls);
    free(timeline);
}
