#include "db/trace/event_times.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "db/trace/each_row.h"

/* Calls of a thread in order of their begins: those within another one come behind it. As if polls had no pause. */
static const char calls_sql[] = "SELECT e.start_ns, e.start_ns + coalesce(e.inside_ns, e.duration_ns), e.object,"
                                " e.start_ns + iif(f.class IS 'lifecycle', 0, e.duration_ns)"
                                " FROM main.event e LEFT JOIN main.function f ON f.function = e.function"
                                " WHERE e.rank = ?1 AND e.thread = ?2 ORDER BY e.start_ns, 2 DESC";

static int begin_calls(sqlite3 *db, const struct cs_pass_thread *thread, sqlite3_stmt **calls)
{
    int result = sqlite3_prepare_v2(db, calls_sql, -1, calls, NULL);
    if (result == SQLITE_OK) {
        sqlite3_bind_int64(*calls, 1, thread->rank);
        sqlite3_bind_int64(*calls, 2, thread->thread);
    }
    return result;
}

struct span {
    bool found;
    int64_t from_ns, to_ns;
};

static int set_span(void *context, sqlite3_stmt *row)
{
    *(struct span *)context = (struct span){true, sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1)};
    return SQLITE_OK;
}

static int read_span(sqlite3 *db, struct span *span)
{
    *span = (struct span){0};
    return cs_each_row(db, "SELECT from_ns, to_ns FROM event_span", set_span, span);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- by object ---- */

struct sum {
    int64_t object;
    UT_hash_handle hh;
    int64_t calls_ns;
};

static struct sum *sum_of(struct sum **sums, int64_t object)
{
    struct sum *sum;
    HASH_FIND(hh, *sums, &object, sizeof object, sum);
    if (sum)
        return sum;
    sum = calloc(1, sizeof *sum);
    if (sum) {
        sum->object = object;
        CS_TABLE_ADD(*sums, object, sum);
    }
    return sum;
}

/* The calls of one rank. */
static int add_up(sqlite3_stmt *calls, const struct span *span, struct sum **sums)
{
    int64_t done_ns = span->from_ns;
    while (sqlite3_step(calls) == SQLITE_ROW) {
        int64_t start_ns = sqlite3_column_int64(calls, 0), end_ns = sqlite3_column_int64(calls, 1);
        if (end_ns > span->from_ns && start_ns < span->to_ns) {
            struct sum *sum = sum_of(sums, sqlite3_column_int64(calls, 2));
            if (!sum)
                return SQLITE_NOMEM;
            int64_t from_ns = larger(start_ns, done_ns), to_ns = smaller(end_ns, span->to_ns);
            if (to_ns > from_ns)
                sum->calls_ns = cs_event_plus(sum->calls_ns, cs_event_minus(to_ns, from_ns));
        }
        done_ns = larger(done_ns, end_ns);
    }
    return sqlite3_reset(calls);
}

int cs_event_call_times(sqlite3 *db, struct cs_pass *pass, struct cs_event_rows *rows)
{
    struct span span;
    int result = read_span(db, &span);
    for (size_t i = 0; result == SQLITE_OK && span.found && i < cs_pass_threads(pass); i++) {
        const struct cs_pass_thread *thread = cs_pass_thread(pass, i);
        sqlite3_stmt *calls = NULL;
        struct sum *sums = NULL;
        if (!thread->first)
            continue;
        result = begin_calls(db, thread, &calls);
        if (result == SQLITE_OK)
            result = add_up(calls, &span, &sums);
        sqlite3_finalize(calls);
        for (const struct sum *sum = sums; sum; sum = sum->hh.next) {
            struct cs_event_row *row = cs_event_rows_add(rows);
            if (row)
                *row = (struct cs_event_row){{{thread->rank, true}, {sum->object, true}, {sum->calls_ns, true}}};
        }
        CS_TABLE_FREE(sums);
    }
    return result == SQLITE_OK && rows->failed ? SQLITE_NOMEM : result;
}

/* ---- the path ---- */

struct lane {
    int64_t rank, thread;
    sqlite3_stmt *calls;
    bool more;                /* the statement has a call that has not begun */
    int64_t mpi_ns, until_ns; /* of all calls that have begun; the last one of them to end */
    int64_t work_ns;          /* the end of the last call, or the begin of the last MPI_Finalize */
    int64_t last, last_ns;    /* the last wait, and when it ended */
    int64_t before;           /* the last one that ended before that */
    int64_t from_mpi_ns;      /* where event_span begins */
};

/* The columns of the table. */
enum { NUMBER, RANK, END, MPI, CAUSE, CAUSE_MPI, BEFORE, WAIT };

struct cs_event_path {
    sqlite3_stmt *waits;
    struct lane *lane;
    size_t lanes, begins; /* begins: rows of lanes that were made */
    struct span span;
    int64_t number; /* of the wait */
    bool in_waits, ended;
    struct cs_event_number value[WAIT];
};

static const char waits_sql[] =
    "SELECT rank, thread, start_ns + wait_ns, cause, kind, function, site, object_name, id, cause_function, cause_site"
    " FROM wait_states ORDER BY 3, rank, event";
enum { WAIT_RANK, WAIT_THREAD, WAIT_END, WAIT_CAUSE, WAIT_KIND };

static int step_call(struct lane *lane)
{
    int step = sqlite3_step(lane->calls);
    lane->more = step == SQLITE_ROW;
    return step == SQLITE_ROW || step == SQLITE_DONE ? SQLITE_OK : step;
}

/* Lets all calls of the rank begin that do so until then. */
static int advance(struct lane *lane, int64_t at_ns)
{
    int result = SQLITE_OK;
    while (result == SQLITE_OK && lane->more && sqlite3_column_int64(lane->calls, 0) <= at_ns) {
        int64_t start_ns = sqlite3_column_int64(lane->calls, 0), end_ns = sqlite3_column_int64(lane->calls, 1);
        int64_t from_ns = larger(start_ns, lane->until_ns);
        if (end_ns > from_ns)
            lane->mpi_ns = cs_event_plus(lane->mpi_ns, cs_event_minus(end_ns, from_ns));
        lane->until_ns = larger(lane->until_ns, end_ns);
        lane->work_ns = larger(lane->work_ns, sqlite3_column_int64(lane->calls, 3));
        result = step_call(lane);
    }
    return result;
}

/* Time in MPI calls until then, without the rest of the current one. */
static int64_t spent(const struct lane *lane, int64_t at_ns)
{
    return lane->until_ns > at_ns ? cs_event_minus(lane->mpi_ns, cs_event_minus(lane->until_ns, at_ns)) : lane->mpi_ns;
}

static int compare_lanes(const void *lane, const void *key)
{
    return cs_compare(((const struct lane *)lane)->rank, *(const int64_t *)key);
}

static struct lane *find_lane(const struct cs_event_path *path, int64_t rank)
{
    size_t found = cs_array_lower_bound(path->lane, path->lanes, sizeof *path->lane, &rank, compare_lanes);
    return found < path->lanes && path->lane[found].rank == rank ? &path->lane[found] : NULL;
}

/* The last wait of the rank that ended before this instant. */
static struct cs_event_number last_before(const struct lane *lane, int64_t at_ns)
{
    int64_t number = !lane ? 0 : lane->last_ns < at_ns ? lane->last : lane->before;
    return (struct cs_event_number){number, number != 0};
}

static void note_wait(struct lane *lane, int64_t number, int64_t end_ns)
{
    if (lane->last && end_ns > lane->last_ns)
        lane->before = lane->last;
    lane->last = number;
    lane->last_ns = end_ns;
}

static int take_wait(struct cs_event_path *path, struct lane *lane, int64_t end_ns)
{
    int64_t cause = sqlite3_column_int64(path->waits, WAIT_CAUSE);
    struct lane *other = find_lane(path, cause);
    int result = SQLITE_OK;
    if (end_ns > path->span.from_ns) { /* the path does not come to earlier ones */
        result = advance(lane, end_ns);
        if (result == SQLITE_OK && other)
            result = advance(other, end_ns);
    }
    path->number++;
    const struct cs_event_number value[WAIT] = {[NUMBER] = {path->number, true},
                                                [RANK] = {lane->rank, true},
                                                [END] = {end_ns, true},
                                                [MPI] = {spent(lane, end_ns), true},
                                                [CAUSE] = {cause, true},
                                                [CAUSE_MPI] = {other ? spent(other, end_ns) : 0, true},
                                                [BEFORE] = last_before(other, end_ns)};
    for (int i = 0; i < WAIT; i++)
        path->value[i] = value[i];
    note_wait(lane, path->number, end_ns);
    return result;
}

/* The row of the run's end. */
static int end_run(struct cs_event_path *path)
{
    int result = SQLITE_OK;
    const struct lane *last = NULL;
    for (size_t i = 0; result == SQLITE_OK && i < path->lanes; i++) {
        result = advance(&path->lane[i], INT64_MAX);
        if (!last || path->lane[i].work_ns > last->work_ns)
            last = &path->lane[i];
    }
    if (result != SQLITE_OK || !last)
        return result;
    const struct cs_event_number value[WAIT] = {[NUMBER] = {0, true},
                                                [RANK] = {last->rank, true},
                                                [END] = {last->work_ns, true},
                                                [MPI] = {spent(last, last->work_ns), true},
                                                [BEFORE] = last_before(last, cs_event_plus(last->work_ns, 1))};
    for (int i = 0; i < WAIT; i++)
        path->value[i] = value[i];
    return SQLITE_OK;
}

static void begin_rank(struct cs_event_path *path)
{
    const struct lane *lane = &path->lane[path->begins++];
    const struct cs_event_number value[WAIT] = {[NUMBER] = {cs_event_minus(-1, lane->rank), true},
                                                [RANK] = {lane->rank, true},
                                                [END] = {path->span.from_ns, true},
                                                [MPI] = {lane->from_mpi_ns, true}};
    for (int i = 0; i < WAIT; i++)
        path->value[i] = value[i];
}

int cs_event_path_next(struct cs_event_path *path, bool *ended)
{
    *ended = path->ended;
    while (path->in_waits) {
        int step = sqlite3_step(path->waits);
        if (step != SQLITE_ROW) {
            path->in_waits = false;
            return step == SQLITE_DONE ? end_run(path) : step;
        }
        struct lane *lane = find_lane(path, sqlite3_column_int64(path->waits, WAIT_RANK));
        if (lane && lane->thread == sqlite3_column_int64(path->waits, WAIT_THREAD))
            return take_wait(path, lane, sqlite3_column_int64(path->waits, WAIT_END));
    }
    *ended = path->begins == path->lanes;
    if (!*ended)
        begin_rank(path);
    return SQLITE_OK;
}

void cs_event_path_give(const struct cs_event_path *path, int column, sqlite3_context *result)
{
    if (column >= WAIT && path->in_waits)
        sqlite3_result_value(result, sqlite3_column_value(path->waits, WAIT_KIND + column - WAIT));
    else if (column < WAIT && path->value[column].known)
        sqlite3_result_int64(result, path->value[column].value);
}

static int open_lanes(struct cs_event_path *path, sqlite3 *db, struct cs_pass *pass)
{
    int result = SQLITE_OK;
    path->lane = calloc(cs_pass_threads(pass) + 1, sizeof *path->lane);
    if (!path->lane)
        return SQLITE_NOMEM;
    for (size_t i = 0; result == SQLITE_OK && i < cs_pass_threads(pass); i++) {
        const struct cs_pass_thread *thread = cs_pass_thread(pass, i);
        if (!thread->first)
            continue;
        struct lane *lane = &path->lane[path->lanes++];
        *lane =
            (struct lane){.rank = thread->rank, .thread = thread->thread, .until_ns = INT64_MIN, .work_ns = INT64_MIN};
        result = begin_calls(db, thread, &lane->calls);
        if (result == SQLITE_OK)
            result = step_call(lane);
        if (result == SQLITE_OK)
            result = advance(lane, path->span.from_ns);
        lane->from_mpi_ns = spent(lane, path->span.from_ns);
    }
    return result;
}

int cs_event_path_open(sqlite3 *db, struct cs_pass *pass, struct cs_event_path **opened)
{
    struct cs_event_path *path = *opened = calloc(1, sizeof *path);
    if (!path)
        return SQLITE_NOMEM;
    int result = read_span(db, &path->span);
    if (result != SQLITE_OK || !path->span.found)
        return result;
    result = open_lanes(path, db, pass);
    if (result == SQLITE_OK)
        result = sqlite3_prepare_v2(db, waits_sql, -1, &path->waits, NULL);
    path->in_waits = result == SQLITE_OK;
    return result;
}

void cs_event_path_close(struct cs_event_path *path)
{
    if (!path)
        return;
    for (size_t i = 0; i < path->lanes; i++)
        sqlite3_finalize(path->lane[i].calls);
    sqlite3_finalize(path->waits);
    free(path->lane);
    free(path);
}
