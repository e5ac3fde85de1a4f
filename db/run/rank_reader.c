#include "db/run/rank_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/utf8.h"
#include "db/trace/schema.h"
#include "db/trace/trace_writer.h"

/* Larger files are read twice, and not kept in memory. */
#define KEPT_BYTES (32ll << 20)

/* Rows in memory take up to ten times the bytes of their file, and more if the ranks of a node have long texts in
   common. No sound file takes more than this. */
enum { GROWTH_MOST = 256 };

__attribute__((format(printf, 3, 4))) static void leave_out(struct cs_rank_rows *rows, enum cs_status status,
                                                            const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(rows->message, sizeof rows->message, format, arguments);
    va_end(arguments);
    rows->status = status;
}

static void leave_out_damaged(struct cs_rank_rows *rows, const char *path, const char *table)
{
    if (sqlite3_errcode(rows->db) == SQLITE_NOMEM) {
        rows->status = CS_NO_MEMORY;
        return;
    }
    char message[CS_MERGE_MESSAGE_BYTES];
    cs_merge_message(rows->db, message);
    leave_out(rows, CS_CORRUPT, "%s is damaged: table %s: %s; left out", path, table, message);
}

/* ---- keeping values ---- */

static inline bool keep(struct cs_rank_rows *rows, const void *bytes, size_t length)
{
    if (rows->room - rows->used < length)
        return cs_array_append(&rows->bytes, &rows->used, &rows->room, bytes, length);
    memcpy(rows->bytes + rows->used, bytes, length);
    rows->used += length;
    return true;
}

static bool keep_type(struct cs_rank_rows *rows, int type)
{
    return keep(rows, &(char){(char)type}, 1);
}

/* Whether the statement that reads a table names a column so. */
static bool is_called(const char *read, int column, const char *name)
{
    const char *at = read + strlen("SELECT ");
    while (at && column-- > 0 && (at = strstr(at, ", ")))
        at += strlen(", ");
    return at && strncmp(at, name, strlen(name)) == 0 && strchr(", ", at[strlen(name)]);
}

/* Cuts a long text. Lists of members grow with the job, and are whole. */
static bool keep_long(struct cs_rank_rows *rows, int column, const void *bytes, size_t length)
{
    size_t kept = length;
    if (!is_called(cs_merge_statements[rows->table].read, column, "members"))
        kept = cs_utf8_cut(bytes, CS_TRACE_TEXT_MOST - strlen("..."));
    size_t all = kept < length ? kept + strlen("...") : kept;
    return keep(rows, &all, sizeof all) && keep(rows, bytes, kept) && keep(rows, "...", all - kept);
}

/* Most values are integers, of events a hundred million: they are one piece. */
static bool keep_integer(struct cs_rank_rows *rows, int64_t integer)
{
    char piece[1 + sizeof integer] = {SQLITE_INTEGER};
    memcpy(piece + 1, &integer, sizeof integer);
    return keep(rows, piece, sizeof piece);
}

static bool keep_value(struct cs_rank_rows *rows, sqlite3_value *value, int column)
{
    int type = sqlite3_value_type(value);
    if (type == SQLITE_INTEGER)
        return keep_integer(rows, sqlite3_value_int64(value));
    if (!keep_type(rows, type))
        return false;
    if (type == SQLITE_FLOAT) {
        double real = sqlite3_value_double(value);
        return keep(rows, &real, sizeof real);
    }
    if (type == SQLITE_NULL)
        return true;
    const void *bytes = type == SQLITE_TEXT ? (const void *)sqlite3_value_text(value) : sqlite3_value_blob(value);
    size_t length = (size_t)sqlite3_value_bytes(value);
    if (bytes && length > CS_TRACE_TEXT_MOST)
        return keep_long(rows, column, bytes, length);
    return keep(rows, &length, sizeof length) && (!length || (bytes && keep(rows, bytes, length)));
}

struct cs_kept_value cs_kept_next(const struct cs_rank_rows *rows, size_t *at)
{
    struct cs_kept_value value = {.type = rows->bytes[(*at)++]};
    const char *bytes = rows->bytes + *at;
    if (value.type == SQLITE_INTEGER) {
        memcpy(&value.integer, bytes, sizeof value.integer);
        *at += sizeof value.integer;
    } else if (value.type == SQLITE_FLOAT) {
        memcpy(&value.real, bytes, sizeof value.real);
        *at += sizeof value.real;
    } else if (value.type != SQLITE_NULL) {
        memcpy(&value.length, bytes, sizeof value.length);
        value.bytes = bytes + sizeof value.length;
        *at += sizeof value.length + value.length;
    }
    return value;
}

/* ---- reading ---- */

/* SQL gives rows to this function: to ask for each value of a row takes three times as long. */
#define TAKE "callsign_take"

/* Each row begins with a byte of 1; a byte of 0 ends the table. */
static bool keep_row(struct cs_rank_rows *rows, int columns, sqlite3_value **value)
{
    bool kept = keep_type(rows, 1);
    for (int i = 0; kept && i < columns; i++)
        kept = keep_value(rows, value[i], i);
    return kept;
}

/* Has SQLite read every value, also those on pages of their own. */
static void look_at_row(int columns, sqlite3_value **value)
{
    for (int i = 0; i < columns; i++)
        if (sqlite3_value_type(value[i]) == SQLITE_TEXT || sqlite3_value_type(value[i]) == SQLITE_BLOB)
            sqlite3_value_blob(value[i]); /* a number would become text */
}

static void take_row(sqlite3_context *context, int columns, sqlite3_value **value)
{
    struct cs_rank_rows *rows = sqlite3_user_data(context);
    if (!rows->kept)
        look_at_row(columns, value);
    else if (!keep_row(rows, columns, value))
        sqlite3_result_error_nomem(context);
    else if (rows->used > rows->most)
        sqlite3_result_error(context, "too long", -1);
}

static enum cs_status add_function(struct cs_rank_rows *rows)
{
    int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY;
    int result = sqlite3_create_function(rows->db, TAKE, -1, flags, rows, take_row, NULL, NULL);
    return result == SQLITE_OK ? CS_OK : CS_NO_MEMORY;
}

/* The statement that takes the rows of a table in its order. Returns SQLite's code. */
static int prepare(struct cs_rank_rows *rows, size_t table, bool ours, sqlite3_stmt **row)
{
    const char *order = "", *own = cs_merge_statements[table].read, *names = own + strlen("SELECT ");
    const char *read = ours ? own : cs_merge_find_table(rows->db, table, &order);
    int length = (int)(strstr(names, " FROM ") - names);
    /* SQLite would call the function before it sorts: an offset makes it sort first. */
    char *sql = *order
                    ? sqlite3_mprintf("SELECT " TAKE "(%.*s) FROM (%s%s LIMIT -1 OFFSET 0)", length, names, read, order)
                    : sqlite3_mprintf("SELECT " TAKE "(%.*s)%s", length, names,
                                      read ? read + strlen("SELECT ") + length : names + length);
    int result = sql ? sqlite3_prepare_v2(rows->db, sql, -1, row, NULL) : SQLITE_NOMEM;
    sqlite3_free(sql);
    return result;
}

static void read_table(struct cs_rank_rows *rows, const char *path, size_t table, bool ours)
{
    sqlite3_stmt *row = NULL;
    rows->table = table;
    int result = prepare(rows, table, ours, &row);
    while (result == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW)
        continue;
    if (result == SQLITE_OK)
        result = sqlite3_finalize(row);
    if (rows->used > rows->most)
        leave_out(rows, CS_CORRUPT, "%s is damaged: table %s: its rows are longer than its size allows; left out", path,
                  cs_merge_statements[table].table);
    else if (result != SQLITE_OK)
        leave_out_damaged(rows, path, cs_merge_statements[table].table);
    else if (!keep_type(rows, 0))
        rows->status = CS_NO_MEMORY;
}

static void read_ranks(struct cs_rank_rows *rows, const char *path)
{
    sqlite3_stmt *row;
    rows->ranks = 0;
    int result = sqlite3_prepare_v2(rows->db, "SELECT rank FROM main.process ORDER BY rank", -1, &row, NULL);
    while (result == SQLITE_OK && rows->status == CS_OK && sqlite3_step(row) == SQLITE_ROW)
        if (cs_array_grow(&rows->rank, rows->ranks, &rows->rank_room, sizeof *rows->rank))
            rows->rank[rows->ranks++] = sqlite3_column_int64(row, 0);
        else
            rows->status = CS_NO_MEMORY;
    if (result == SQLITE_OK)
        result = sqlite3_finalize(row);
    if (rows->status == CS_OK && (result != SQLITE_OK || !rows->ranks))
        leave_out(rows, CS_CORRUPT, "%s is damaged: it names no rank; left out", path);
}

/* Any figures may be in a file: a summary that makes no sense is computed, as if there was none. Processes without rank
   may get other ranks than their file has. */
static void read_summary(struct cs_rank_rows *rows)
{
    bool found = false;
    if (rows->rank[0] < 0 || !cs_merge_has_table(rows->db, "summary"))
        return;
    rows->summary = cs_summary_create();
    enum cs_status status = rows->summary ? cs_summary_read(rows->summary, rows->db, &found) : CS_NO_MEMORY;
    if (status == CS_NO_MEMORY)
        rows->status = status;
    if (status == CS_OK && found)
        return;
    cs_summary_destroy(rows->summary);
    rows->summary = NULL;
}

/* Tables that are computed from the rows of others, or left where they are. */
static bool is_left(const struct cs_rank_rows *rows, const char *table)
{
    if (strcmp(table, "profile") == 0)
        return rows->summary && rows->leave_profile;
    return strcmp(table, "summary") == 0 || (strcmp(table, "rank_time") == 0 && !rows->summary);
}

static void read_tables(struct cs_rank_rows *rows, const char *path)
{
    bool ours = cs_schema_is_of_rank(rows->db);
    if (!ours && !cs_merge_has_table(rows->db, "process"))
        leave_out(rows, CS_CORRUPT, "%s is damaged: it names no rank; left out", path);
    if (rows->status == CS_OK)
        read_ranks(rows, path);
    if (rows->status == CS_OK)
        read_summary(rows);
    for (size_t i = 0; rows->status == CS_OK && i < cs_merge_statements_count; i++) {
        rows->begin[i] = rows->used;
        if (is_left(rows, cs_merge_statements[i].table))
            rows->status = keep_type(rows, 0) ? CS_OK : CS_NO_MEMORY;
        else if (ours || cs_merge_find_table(rows->db, i, NULL))
            read_table(rows, path, i, ours);
        else
            leave_out(rows, CS_CORRUPT, "%s is damaged: it has no table %s; left out", path,
                      cs_merge_statements[i].table);
    }
    if (rows->status == CS_OK && !cs_clock_facts_read(&rows->clock, rows->db))
        rows->status = CS_NO_MEMORY;
}

/* ---- reading again ---- */

/* Reads rows of the current table until the memory is full. Returns false at the end of the table. */
static bool read_some(struct cs_rank_rows *rows, bool *found)
{
    int result = rows->row ? SQLITE_OK : prepare(rows, rows->table, false, &rows->row);
    rows->begin[rows->table] = rows->used;
    while (result == SQLITE_OK && rows->used < CS_RANK_BATCH_BYTES) {
        if (sqlite3_step(rows->row) != SQLITE_ROW) {
            result = sqlite3_finalize(rows->row);
            rows->row = NULL;
            break;
        }
        *found = true;
    }
    if (result == SQLITE_NOMEM || !keep_type(rows, 0)) {
        rows->status = CS_NO_MEMORY;
    } else if (result != SQLITE_OK) {
        char message[CS_MERGE_MESSAGE_BYTES];
        cs_merge_message(rows->db, message);
        leave_out(rows, CS_SQL, "table %s can no longer be read: %s", cs_merge_statements[rows->table].table, message);
    }
    return rows->row;
}

bool cs_rank_next(struct cs_rank_rows *rows)
{
    bool found = false;
    if (rows->next)
        return rows->next(rows);
    if (!rows->db)
        return false;
    rows->used = 0;
    memset(rows->begin, 0, cs_merge_statements_count * sizeof *rows->begin);
    if (!keep_type(rows, 0)) /* no rows of the other tables */
        rows->status = CS_NO_MEMORY;
    while (rows->status == CS_OK && rows->table < cs_merge_statements_count && rows->used < CS_RANK_BATCH_BYTES)
        if (is_left(rows, cs_merge_statements[rows->table].table) || !read_some(rows, &found))
            rows->table++;
    return rows->status == CS_OK && found;
}

/* ---- opening ---- */

void cs_rank_read(struct cs_rank_rows *rows, const char *path, bool leave_profile)
{
    struct stat about;
    cs_rank_close(rows);
    cs_summary_destroy(rows->summary);
    rows->summary = NULL;
    rows->leave_profile = leave_profile;
    rows->apart = false;
    rows->status = CS_OK;
    rows->used = 0;
    rows->kept = stat(path, &about) == 0 && about.st_size <= KEPT_BYTES;
    rows->most = rows->kept ? (size_t)about.st_size * GROWTH_MOST : SIZE_MAX;
    if (!rows->begin)
        rows->begin = calloc(cs_merge_statements_count, sizeof *rows->begin);
    if (!rows->begin)
        rows->status = CS_NO_MEMORY;
    if (rows->status == CS_OK)
        rows->status = cs_trace_open(path, &rows->db, rows->message);
    if (rows->status == CS_OK)
        rows->status = add_function(rows);
    if (rows->status == CS_OK)
        read_tables(rows, path);
    if (rows->status != CS_OK || rows->kept)
        cs_rank_close(rows);
    rows->kept = true; /* cs_rank_next reads in order to keep */
    rows->table = 0;
}

void cs_rank_close(struct cs_rank_rows *rows)
{
    sqlite3_finalize(rows->row);
    sqlite3_close(rows->db);
    rows->row = NULL;
    rows->db = NULL;
    rows->table = 0;
}

void cs_rank_free(struct cs_rank_rows *rows)
{
    cs_rank_close(rows);
    cs_clock_facts_free(&rows->clock);
    cs_summary_destroy(rows->summary);
    free(rows->rank);
    free(rows->begin);
    free(rows->bytes);
    *rows = (struct cs_rank_rows){0};
}
