#include "db/trace/object_times.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"
#include "db/trace/each_row.h"

/* The order of the columns of read_sql and write_sql. */
enum { RANK, OBJECT, LIFECYCLE, CALLS, OPEN, SENT_BYTES, RECEIVED_BYTES, NUMBERS, TIME_NS = NUMBERS };

/* A row of rank_time, then of the view. */
struct line {
    int64_t number[NUMBERS];
    double time_ns; /* as total() of SQL */
};

struct object_times {
    sqlite3_stmt *insert;
    struct line *line; /* of one rank */
    size_t count, room;
};

static const char read_sql[] =
    "SELECT rank, coalesce(nullif(object, 0), communicator),"
    " function IN (SELECT function FROM main.function WHERE class = 'lifecycle'), calls, open, sent_bytes,"
    " received_bytes, time_ns FROM main.rank_time ORDER BY rank";

static const char write_sql[] = "INSERT INTO temp.\"%w\" (rank, object, lifecycle, calls, open, sent_bytes,"
                                " received_bytes, time_ns) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

static int compare_groups(const void *left, const void *right)
{
    const struct line *a = left, *b = right;
    return a->number[OBJECT] != b->number[OBJECT] ? cs_compare(a->number[OBJECT], b->number[OBJECT])
                                                  : cs_compare(a->number[LIFECYCLE], b->number[LIFECYCLE]);
}

/* SQLITE_ERROR: a sum is too large, which SQL refuses, too. */
static int line_add(struct line *line, const struct line *more)
{
    line->time_ns += more->time_ns;
    for (int i = CALLS; i < NUMBERS; i++)
        if (__builtin_add_overflow(line->number[i], more->number[i], &line->number[i]))
            return SQLITE_ERROR;
    return SQLITE_OK;
}

static int write_line(sqlite3_stmt *insert, const struct line *line)
{
    for (int i = 0; i < NUMBERS; i++)
        sqlite3_bind_int64(insert, 1 + i, line->number[i]);
    sqlite3_bind_double(insert, 1 + TIME_NS, line->time_ns);
    sqlite3_step(insert);
    return sqlite3_reset(insert);
}

/* Writes the lines of a rank, one for each group. */
static int end_rank(struct object_times *times)
{
    int result = SQLITE_OK;
    if (times->count)
        qsort(times->line, times->count, sizeof *times->line, compare_groups);
    for (size_t i = 0; result == SQLITE_OK && i < times->count; i++) {
        const struct line *line = &times->line[i];
        if (i + 1 < times->count && compare_groups(line, line + 1) == 0)
            result = line_add(&times->line[i + 1], line);
        else
            result = write_line(times->insert, line);
    }
    times->count = 0;
    return result;
}

static int read_line(void *context, sqlite3_stmt *row)
{
    struct object_times *times = context;
    struct line line = {.time_ns = sqlite3_column_double(row, TIME_NS)};
    for (int i = 0; i < NUMBERS; i++)
        line.number[i] = sqlite3_column_int64(row, i);
    struct line *last = times->count ? &times->line[times->count - 1] : NULL;
    if (last && last->number[RANK] != line.number[RANK]) {
        int result = end_rank(times);
        if (result != SQLITE_OK)
            return result;
        last = NULL;
    }
    if (last && compare_groups(last, &line) == 0) /* most functions of an object follow each other */
        return line_add(last, &line);
    if (!cs_array_grow(&times->line, times->count, &times->room, sizeof line))
        return SQLITE_NOMEM;
    times->line[times->count++] = line;
    return SQLITE_OK;
}

int cs_object_times_fill(sqlite3 *db, const char *table)
{
    struct object_times times = {.line = NULL};
    char *sql = sqlite3_mprintf(write_sql, table);
    int result = sql ? sqlite3_prepare_v2(db, sql, -1, &times.insert, NULL) : SQLITE_NOMEM;
    if (result == SQLITE_OK)
        result = cs_each_row(db, read_sql, read_line, &times);
    if (result == SQLITE_OK)
        result = end_rank(&times);
    sqlite3_finalize(times.insert);
    sqlite3_free(sql);
    free(times.line);
    return result;
}
