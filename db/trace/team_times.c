#include "db/trace/team_times.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A uthash that is out of memory leaves the item out, instead of ending the process. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "base/array.h"
#include "db/trace/each_row.h"

/* A communicator, window or file of a rank, and its team. */
struct member {
    int64_t rank, object, team, id, size;
};

struct members {
    struct member *item;
    size_t count, room;
};

/* Calls of one rank. */
struct calls {
    int64_t rank, calls, open, min_ns;
    double time_ns; /* as total() of SQL */
    bool timed;     /* min_ns holds */
};

/* A row of the view, while ranks are added in ascending order. */
struct line {
    struct {
        int64_t team, function;
    } key;
    UT_hash_handle hh;
    struct calls last; /* calls of the last rank, which is not added yet */
    int64_t size;
    size_t member;           /* the next member of the team that may be idle, in `first` */
    int64_t idle, idle_rank; /* members that did not call the function, and the lowest of them */
    int64_t added, ranks, calls, open, fastest_ns, least_rank, most_rank;
    double time_ns, least_ns, next_ns, most_ns;
    bool timed; /* fastest_ns holds */
};

struct team_times {
    struct members all;   /* by rank and object */
    struct members first; /* of the first communicator of each team, by team and rank */
    struct line *lines;
};

/* ---- members ---- */

static int compare_objects(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    return a->rank != b->rank ? cs_compare(a->rank, b->rank) : cs_compare(a->object, b->object);
}

static int compare_teams(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    return a->team != b->team ? cs_compare(a->team, b->team) : cs_compare(a->rank, b->rank);
}

static bool add_member(struct members *members, const struct member *member)
{
    if (!cs_array_grow(&members->item, members->count, &members->room, sizeof *member))
        return false;
    members->item[members->count++] = *member;
    return true;
}

static void sort(struct members *members, int (*compare)(const void *, const void *))
{
    if (members->count)
        qsort(members->item, members->count, sizeof *members->item, compare);
}

static int read_member(void *context, sqlite3_stmt *row)
{
    struct team_times *times = context;
    const struct member member = {.rank = sqlite3_column_int64(row, 0),
                                  .object = sqlite3_column_int64(row, 1),
                                  .team = sqlite3_column_int64(row, 2),
                                  .id = sqlite3_column_int64(row, 3),
                                  .size = sqlite3_column_int64(row, 4)};
    bool added = add_member(&times->all, &member) && (member.id != member.team || add_member(&times->first, &member));
    return added ? SQLITE_OK : SQLITE_NOMEM;
}

static int read_members(struct team_times *times, sqlite3 *db)
{
    int result = cs_each_row(db, "SELECT rank, object, team, id, size FROM temp.team_members", read_member, times);
    sort(&times->all, compare_objects);
    sort(&times->first, compare_teams);
    return result;
}

/* NULL: it belongs to no team. */
static const struct member *find_member(const struct team_times *times, int64_t rank, int64_t object)
{
    const struct member key = {.rank = rank, .object = object};
    if (!times->all.count)
        return NULL;
    size_t at = cs_array_lower_bound(times->all.item, times->all.count, sizeof key, &key, compare_objects);
    return at < times->all.count && compare_objects(&times->all.item[at], &key) == 0 ? &times->all.item[at] : NULL;
}

/* ---- lines ---- */

static void add_time(struct line *line, int64_t rank, double time_ns)
{
    if (line->added == 0 || time_ns > line->most_ns || (time_ns == line->most_ns && rank < line->most_rank)) {
        line->most_ns = time_ns;
        line->most_rank = rank;
    }
    bool least = line->added == 0 || time_ns < line->least_ns || (time_ns == line->least_ns && rank < line->least_rank);
    double other = least ? line->least_ns : time_ns;
    if (line->added && (line->added == 1 || other < line->next_ns))
        line->next_ns = other;
    if (least) {
        line->least_ns = time_ns;
        line->least_rank = rank;
    }
    line->added++;
}

static bool is_of_team(const struct team_times *times, const struct line *line)
{
    return line->member < times->first.count && times->first.item[line->member].team == line->key.team;
}

/* Members below the rank are idle: it is the next one with calls. */
static void pass_idle(const struct team_times *times, struct line *line, int64_t rank)
{
    for (; is_of_team(times, line) && times->first.item[line->member].rank <= rank; line->member++) {
        int64_t passed = times->first.item[line->member].rank;
        if (passed < rank && line->idle++ == 0)
            line->idle_rank = passed;
    }
}

/* Adds the calls of the last rank. SQLITE_ERROR: a sum is too large, which SQL refuses, too. */
static int add_last(const struct team_times *times, struct line *line)
{
    const struct calls *last = &line->last;
    pass_idle(times, line, last->rank);
    if (__builtin_add_overflow(line->calls, last->calls, &line->calls) ||
        __builtin_add_overflow(line->open, last->open, &line->open))
        return SQLITE_ERROR;
    line->ranks += last->calls > 0 || last->open > 0;
    line->time_ns += last->time_ns;
    if (last->timed && (!line->timed || last->min_ns < line->fastest_ns)) {
        line->fastest_ns = last->min_ns;
        line->timed = true;
    }
    add_time(line, last->rank, last->time_ns);
    return SQLITE_OK;
}

static struct line *find_line(struct team_times *times, const struct member *member, const struct calls *calls,
                              int64_t function)
{
    struct line *line, key = {.key = {member->team, function}};
    HASH_FIND(hh, times->lines, &key.key, sizeof key.key, line);
    if (line)
        return line;
    line = calloc(1, sizeof *line);
    if (!line)
        return NULL;
    const struct member first = {.team = member->team, .rank = INT64_MIN};
    line->key = key.key;
    line->size = member->size;
    line->last.rank = calls->rank;
    line->member = times->first.count ? cs_array_lower_bound(times->first.item, times->first.count, sizeof first,
                                                             &first, compare_teams)
                                      : 0;
    HASH_ADD(hh, times->lines, key, sizeof line->key, line);
    if (line->hh.tbl)
        return line;
    free(line);
    return NULL;
}

static int add_calls(struct team_times *times, const struct member *member, const struct calls *calls, int64_t function)
{
    struct line *line = find_line(times, member, calls, function);
    if (!line)
        return SQLITE_NOMEM;
    struct calls *last = &line->last;
    if (last->rank != calls->rank) {
        int result = add_last(times, line);
        if (result != SQLITE_OK)
            return result;
        *last = (struct calls){.rank = calls->rank};
    }
    if (__builtin_add_overflow(last->calls, calls->calls, &last->calls) ||
        __builtin_add_overflow(last->open, calls->open, &last->open))
        return SQLITE_ERROR;
    last->time_ns += calls->time_ns;
    if (calls->timed && (!last->timed || calls->min_ns < last->min_ns)) {
        last->min_ns = calls->min_ns;
        last->timed = true;
    }
    return SQLITE_OK;
}

static const char calls_sql[] =
    "SELECT rank, coalesce(nullif(object, 0), communicator), function, calls, open, time_ns,"
    " min_ns FROM main.rank_time ORDER BY rank";

static int read_calls(void *context, sqlite3_stmt *row)
{
    struct team_times *times = context;
    const struct calls calls = {.rank = sqlite3_column_int64(row, 0),
                                .calls = sqlite3_column_int64(row, 3),
                                .open = sqlite3_column_int64(row, 4),
                                .time_ns = sqlite3_column_double(row, 5),
                                .min_ns = sqlite3_column_int64(row, 6),
                                .timed = sqlite3_column_type(row, 6) == SQLITE_INTEGER};
    const struct member *member = find_member(times, calls.rank, sqlite3_column_int64(row, 1));
    return member ? add_calls(times, member, &calls, sqlite3_column_int64(row, 2)) : SQLITE_OK;
}

/* The last rank has its calls, and all members above it are idle. */
static int end_line(const struct team_times *times, struct line *line)
{
    int result = add_last(times, line);
    if (result != SQLITE_OK || line->added >= line->size)
        return result;
    for (; is_of_team(times, line); line->member++)
        if (line->idle++ == 0)
            line->idle_rank = times->first.item[line->member].rank;
    for (int64_t i = 0; i < line->idle && i < 2; i++) /* the lowest one, and another, whose rank does not matter */
        add_time(line, i == 0 ? line->idle_rank : INT64_MAX, 0);
    line->added += line->idle > 2 ? line->idle - 2 : 0;
    return SQLITE_OK;
}

/* ---- rows ---- */

static int compare_lines(const struct line *a, const struct line *b)
{
    return a->key.team != b->key.team ? cs_compare(a->key.team, b->key.team)
                                      : cs_compare(a->key.function, b->key.function);
}

static int write_line(sqlite3_stmt *insert, const struct line *line)
{
    const int64_t number[] = {line->key.team, line->key.function, line->added,      line->ranks,    line->calls,
                              line->open,     line->fastest_ns,   line->least_rank, line->most_rank};
    const double time[] = {line->time_ns, line->least_ns, line->most_ns, line->next_ns};
    enum { NUMBERS = sizeof number / sizeof *number, TIMES = sizeof time / sizeof *time };
    for (int i = 0; i < NUMBERS; i++)
        sqlite3_bind_int64(insert, 1 + i, number[i]);
    for (int i = 0; i < TIMES; i++)
        sqlite3_bind_double(insert, 1 + NUMBERS + i, time[i]);
    if (line->added < 2)
        sqlite3_bind_null(insert, NUMBERS + TIMES);
    sqlite3_step(insert);
    return sqlite3_reset(insert);
}

static int write_lines(struct team_times *times, sqlite3 *db, const char *table)
{
    sqlite3_stmt *insert = NULL;
    char *sql =
        sqlite3_mprintf("INSERT INTO temp.\"%w\" (team, function, size, ranks, calls, open, fastest_ns, least_rank,"
                        " most_rank, time_ns, least_ns, most_ns, next_ns)"
                        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
                        table);
    int result = sql ? sqlite3_prepare_v2(db, sql, -1, &insert, NULL) : SQLITE_NOMEM;
    HASH_SORT(times->lines, compare_lines);
    for (struct line *line = times->lines; line && result == SQLITE_OK; line = line->hh.next) {
        result = end_line(times, line);
        if (result == SQLITE_OK && (line->calls > 0 || line->open > 0))
            result = write_line(insert, line);
    }
    sqlite3_finalize(insert);
    sqlite3_free(sql);
    return result;
}

int cs_team_times_fill(sqlite3 *db, const char *table)
{
    struct team_times times = {.lines = NULL};
    int result = read_members(&times, db);
    if (result == SQLITE_OK)
        result = cs_each_row(db, calls_sql, read_calls, &times);
    if (result == SQLITE_OK)
        result = write_lines(&times, db, table);
    struct line *line = times.lines, *next;
    HASH_CLEAR(hh, times.lines);
    for (; line; line = next) {
        next = line->hh.next;
        free(line);
    }
    free(times.all.item);
    free(times.first.item);
    return result;
}
