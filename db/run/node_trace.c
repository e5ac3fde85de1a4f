#include "db/run/node_trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "db/run/merge_tables.h"
#include "db/trace/rows_table.h"
#include "db/trace/schema.h"
#include "db/trace/trace_writer.h"
#include "db/trace/untrusted.h"

/* ---- its ranks ---- */

static enum cs_status read_ranks(sqlite3 *db, struct cs_node_trace *trace)
{
    static const char sql[] = "SELECT rank, outcome = 'finalized' FROM main.process ORDER BY rank";
    sqlite3_stmt *row = NULL;
    size_t room = 0;
    enum cs_status status = CS_OK;
    if (!cs_merge_has_table(db, "process") || sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK)
        return CS_OK;
    while (status == CS_OK && sqlite3_step(row) == SQLITE_ROW) {
        if (!cs_array_grow(&trace->rank, trace->ranks, &room, sizeof *trace->rank)) {
            status = CS_NO_MEMORY;
            break;
        }
        trace->rank[trace->ranks++] = sqlite3_column_int64(row, 0);
        trace->finalized += sqlite3_column_int(row, 1) != 0;
    }
    sqlite3_finalize(row);
    return status;
}

enum cs_status cs_node_trace_read(const char *path, struct cs_node_trace *trace)
{
    sqlite3 *db;
    *trace = (struct cs_node_trace){0};
    enum cs_status status = cs_trace_open(path, &db, NULL);
    if (status == CS_OK)
        status = read_ranks(db, trace);
    sqlite3_close(db);
    return status == CS_NO_MEMORY ? CS_NO_MEMORY : CS_OK;
}

void cs_node_trace_free(struct cs_node_trace *trace)
{
    free(trace->rank);
    *trace = (struct cs_node_trace){0};
}

static int compare(const void *left, const void *right)
{
    return cs_compare(*(const int64_t *)left, *(const int64_t *)right);
}

bool cs_node_trace_has(const struct cs_node_trace *trace, int64_t rank)
{
    return trace->ranks && bsearch(&rank, trace->rank, trace->ranks, sizeof rank, compare);
}

/* ---- one of its ranks ---- */

/* `context`: the statement that reads a table, or NULL. */
static int next_row(void *context, bool *ended)
{
    sqlite3_stmt **row = context;
    int step = *row ? sqlite3_step(*row) : SQLITE_DONE;
    *ended = step != SQLITE_ROW;
    return step == SQLITE_ROW || step == SQLITE_DONE ? SQLITE_OK : step;
}

static int give_value(void *context, int column, sqlite3_context *result)
{
    sqlite3_result_value(result, sqlite3_column_value(*(sqlite3_stmt **)context, column));
    return SQLITE_OK;
}

/* *row: the statement that is read, NULL before and after. */
static int copy_table(sqlite3 *from, sqlite3 *to, sqlite3_stmt **row, size_t number, int64_t rank, int64_t offset_ns)
{
    const struct cs_merge_statement *table = &cs_merge_statements[number];
    const char *order, *found = cs_merge_find_table(from, number, &order);
    if (!found)
        return SQLITE_OK;
    char *read = sqlite3_mprintf("%s%s%s", found, table->shared ? "" : " WHERE rank = ?1", order);
    sqlite3_stmt *write = NULL;
    int result = read ? sqlite3_prepare_v2(from, read, -1, row, NULL) : SQLITE_NOMEM;
    if (result == SQLITE_OK)
        result = sqlite3_prepare_v2(to, table->write, -1, &write, NULL);
    if (result == SQLITE_OK) {
        sqlite3_bind_int64(*row, 1, rank);
        sqlite3_bind_int64(write, 1, -offset_ns);
        sqlite3_bind_int64(write, 2, 0);
        sqlite3_bind_int64(write, 3, offset_ns);
        sqlite3_step(write);
    }
    int written = sqlite3_finalize(write);
    sqlite3_finalize(*row);
    *row = NULL;
    sqlite3_free(read);
    return result == SQLITE_OK ? written : result;
}

static int copy_rank(sqlite3 *from, sqlite3 *to, int64_t rank)
{
    static const char sql[] = "SELECT clock_offset_ns FROM main.process WHERE rank = ?1";
    sqlite3_stmt *row = NULL;
    int64_t offset_ns = 0;
    int result = sqlite3_prepare_v2(from, sql, -1, &row, NULL);
    if (result == SQLITE_OK) {
        sqlite3_bind_int64(row, 1, rank);
        if (sqlite3_step(row) == SQLITE_ROW)
            offset_ns = sqlite3_column_int64(row, 0);
        result = sqlite3_finalize(row);
    }
    if (offset_ns == INT64_MIN)
        return SQLITE_CORRUPT;
    if (result == SQLITE_OK)
        result = sqlite3_exec(to, "PRAGMA synchronous = OFF; BEGIN", NULL, NULL, NULL);
    if (result == SQLITE_OK)
        result = cs_schema_add_tables(to, true);
    sqlite3_stmt *read = NULL;
    const struct cs_rows_source source = {.context = &read, .next = next_row, .give = give_value};
    if (result == SQLITE_OK)
        result = cs_rows_table_add(to, CS_MERGE_SOURCE, &source);
    for (size_t i = 0; result == SQLITE_OK && i < cs_merge_statements_count; i++)
        if (!cs_rank_times_writes(cs_merge_statements[i].table))
            result = copy_table(from, to, &read, i, rank, offset_ns);
    cs_rows_table_remove(to, CS_MERGE_SOURCE);
    return result == SQLITE_OK ? sqlite3_exec(to, "COMMIT", NULL, NULL, NULL) : result;
}

enum cs_status cs_node_trace_extract(const char *path, int64_t rank, const char *to)
{
    sqlite3 *from, *into = NULL;
    enum cs_status status = cs_trace_open(path, &from, NULL);
    if (status == CS_OK)
        status = cs_untrusted_open(to, SQLITE_OPEN_READWRITE, NULL, &into);
    if (status == CS_OK)
        status = cs_merge_status(into, copy_rank(from, into, rank));
    sqlite3_close(from);
    sqlite3_close(into);
    return status;
}
