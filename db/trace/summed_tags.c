#include "db/trace/summed_tags.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A uthash that is out of memory leaves the item out, instead of ending the process. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "db/trace/each_row.h"

/* They take about 100 MB. SQL sorts more of them on disk. */
enum { LINES_MOST = 600000 };

/* A row of the view, while ranks are added in ascending order. */
struct line {
    struct key {
        int64_t id, receives, tag, last_tag, site;
    } key;
    UT_hash_handle hh;
    int64_t first, last_rank, ranks, largest_tag, messages, types, untyped;
};

/* A communicator of a rank. */
struct communicator {
    int64_t rank, object, object_key, id;
    bool looked_up, known;
};

/* The order of the columns that read_rows selects. */
enum { RANK, COMMUNICATOR, DIRECTION, TAG, LAST_TAG, SITE, LARGEST_TAG, MESSAGES, TYPES, UNTYPED, COLUMNS };

static int look_up(sqlite3_stmt *find, int64_t rank, int64_t object, struct communicator *communicator)
{
    if (communicator->looked_up && communicator->rank == rank && communicator->object == object)
        return SQLITE_OK;
    sqlite3_bind_int64(find, 1, rank);
    sqlite3_bind_int64(find, 2, object);
    bool known = sqlite3_step(find) == SQLITE_ROW;
    *communicator = (struct communicator){.rank = rank,
                                          .object = object,
                                          .id = known ? sqlite3_column_int64(find, 0) : 0,
                                          .object_key = known ? sqlite3_column_int64(find, 1) : 0,
                                          .looked_up = true,
                                          .known = known};
    return sqlite3_reset(find);
}

/* The file of a stranger may have anything in any column. */
static bool is_sound(sqlite3_stmt *row)
{
    for (int i = 0; i < COLUMNS; i++)
        if (sqlite3_column_type(row, i) != (i == DIRECTION ? SQLITE_TEXT : SQLITE_INTEGER))
            return false;
    const char *direction = (const char *)sqlite3_column_text(row, DIRECTION);
    return direction && (strcmp(direction, "send") == 0 || strcmp(direction, "receive") == 0);
}

static int find_line(struct line **lines, const struct key *key, struct line **result)
{
    struct line *line;
    HASH_FIND(hh, *lines, key, sizeof *key, line);
    *result = line;
    if (line)
        return SQLITE_OK;
    if (HASH_COUNT(*lines) >= LINES_MOST)
        return SQLITE_MISMATCH;
    line = calloc(1, sizeof *line);
    if (!line)
        return SQLITE_NOMEM;
    line->key = *key;
    line->largest_tag = line->untyped = INT64_MIN;
    HASH_ADD(hh, *lines, key, sizeof line->key, line);
    *result = line;
    if (line->hh.tbl)
        return SQLITE_OK;
    free(line);
    return SQLITE_NOMEM;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int add_row(struct line **lines, sqlite3_stmt *row, const struct communicator *communicator)
{
    const char *direction = (const char *)sqlite3_column_text(row, DIRECTION);
    const struct key key = {.id = communicator->id,
                            .receives = *direction == 'r',
                            .tag = sqlite3_column_int64(row, TAG),
                            .last_tag = sqlite3_column_int64(row, LAST_TAG),
                            .site = sqlite3_column_int64(row, SITE)};
    struct line *line;
    int result = find_line(lines, &key, &line);
    if (result != SQLITE_OK)
        return result;
    int64_t rank = sqlite3_column_int64(row, RANK);
    if (line->ranks == 0)
        line->first = communicator->object_key;
    line->ranks += line->ranks == 0 || line->last_rank != rank;
    line->last_rank = rank;
    line->largest_tag = larger(line->largest_tag, sqlite3_column_int64(row, LARGEST_TAG));
    line->untyped = larger(line->untyped, sqlite3_column_int64(row, UNTYPED));
    return __builtin_add_overflow(line->messages, sqlite3_column_int64(row, MESSAGES), &line->messages) ||
                   __builtin_add_overflow(line->types, sqlite3_column_int64(row, TYPES), &line->types)
               ? SQLITE_MISMATCH /* SQL says so */
               : SQLITE_OK;
}

struct reading {
    struct line **lines;
    sqlite3_stmt *find;
    struct communicator communicator;
};

static int read_row(void *context, sqlite3_stmt *row)
{
    struct reading *reading = context;
    struct communicator *communicator = &reading->communicator;
    if (!is_sound(row))
        return SQLITE_MISMATCH;
    int result =
        look_up(reading->find, sqlite3_column_int64(row, RANK), sqlite3_column_int64(row, COMMUNICATOR), communicator);
    return result == SQLITE_OK && communicator->known ? add_row(reading->lines, row, communicator) : result;
}

static int read_rows(sqlite3 *db, struct line **lines)
{
    static const char rows[] =
        "SELECT rank, communicator, direction, tag, last_tag, site, largest_tag, messages, types,"
        " untyped FROM main.tag ORDER BY rank, communicator";
    static const char keys[] = "SELECT id, object_key FROM temp.object_keys WHERE rank = ?1 AND object = ?2";
    struct reading reading = {.lines = lines};
    int result = sqlite3_prepare_v2(db, keys, -1, &reading.find, NULL);
    if (result == SQLITE_OK)
        result = cs_each_row(db, rows, read_row, &reading);
    sqlite3_finalize(reading.find);
    return result;
}

static int write_lines(sqlite3 *db, const struct line *lines, const char *table)
{
    sqlite3_stmt *insert = NULL;
    char *sql = sqlite3_mprintf("INSERT INTO temp.\"%w\" (direction, id, first, tag, last_tag, largest_tag, messages,"
                                " ranks, site, types, untyped) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                                table);
    int result = sql ? sqlite3_prepare_v2(db, sql, -1, &insert, NULL) : SQLITE_NOMEM;
    for (const struct line *line = lines; line && result == SQLITE_OK; line = line->hh.next) {
        const int64_t number[] = {line->key.id,   line->first, line->key.tag,  line->key.last_tag, line->largest_tag,
                                  line->messages, line->ranks, line->key.site, line->types,        line->untyped};
        sqlite3_bind_text(insert, 1, line->key.receives ? "receive" : "send", -1, SQLITE_STATIC);
        for (size_t i = 0; i < sizeof number / sizeof *number; i++)
            sqlite3_bind_int64(insert, 2 + (int)i, number[i]);
        sqlite3_step(insert);
        result = sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    sqlite3_free(sql);
    return result;
}

int cs_summed_tags_fill(sqlite3 *db, const char *table)
{
    struct line *lines = NULL;
    int result = read_rows(db, &lines);
    if (result == SQLITE_OK)
        result = write_lines(db, lines, table);
    struct line *line = lines, *next;
    HASH_CLEAR(hh, lines);
    for (; line; line = next) {
        next = line->hh.next;
        free(line);
    }
    return result;
}
