/* Turns files with the plain tables of several ranks, as scaled_run.py makes them, into files of nodes as their
   conversion writes them. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "db/summary/rank_times.h"
#include "db/trace/trace_writer.h"

/* Rows of a table. */
struct source {
    sqlite3_stmt *row;
    int first; /* column of the first value */
    int count;
};

static bool next_row(void *context, void *row)
{
    const struct source *source = context;
    struct cs_value *value = row;
    if (sqlite3_step(source->row) != SQLITE_ROW)
        return false;
    for (int i = 0; i < source->count; i++) {
        int column = source->first + i, type = sqlite3_column_type(source->row, column);
        value[i] = type == SQLITE_INTEGER ? cs_int(sqlite3_column_int64(source->row, column))
                                          : cs_text((const char *)sqlite3_column_text(source->row, column));
    }
    return true;
}

/* The rows of a table that are about one rank, or all of a table without ranks. */
static enum cs_status copy_table(sqlite3 *db, struct cs_trace_writer *rows, enum cs_row table, int64_t rank)
{
    bool ranked = cs_row_statements[table].ranked;
    struct source source = {.first = ranked, .count = cs_row_statements[table].values};
    char *sql = sqlite3_mprintf("%s%s", cs_merge_statements[table].read, ranked ? " WHERE rank = ?1" : "");
    enum cs_status status = sqlite3_prepare_v2(db, sql, -1, &source.row, NULL) == SQLITE_OK ? CS_OK : CS_SQL;
    sqlite3_bind_int64(source.row, 1, rank);
    struct cs_value value[CS_ROW_VALUES];
    bool filled = strstr(cs_row_statements[table].sql, "FROM source");
    if (status == CS_OK && filled)
        status = cs_trace_fill(rows, table, next_row, &source);
    while (!filled && status == CS_OK && next_row(&source, value))
        status = cs_trace_insert(rows, table, value);
    if (sqlite3_finalize(source.row) != SQLITE_OK)
        status = CS_SQL;
    sqlite3_free(sql);
    return status;
}

static enum cs_status copy_tables(sqlite3 *db, struct cs_trace_writer *rows, bool ranked, int64_t rank)
{
    enum cs_status status = CS_OK;
    for (size_t i = 0; status == CS_OK && i < cs_merge_statements_count; i++)
        if (cs_row_statements[i].ranked == ranked && !cs_rank_times_writes(cs_merge_statements[i].table))
            status = copy_table(db, rows, (enum cs_row)i, rank);
    return status;
}

static enum cs_status copy(sqlite3 *db, struct cs_trace_writer *rows)
{
    sqlite3_stmt *rank;
    if (sqlite3_prepare_v2(db, "SELECT rank FROM process ORDER BY rank", -1, &rank, NULL) != SQLITE_OK)
        return CS_SQL;
    enum cs_status status = copy_tables(db, rows, false, 0);
    while (status == CS_OK && sqlite3_step(rank) == SQLITE_ROW) {
        cs_trace_set_rank(rows, sqlite3_column_int64(rank, 0));
        status = copy_tables(db, rows, true, sqlite3_column_int64(rank, 0));
    }
    if (sqlite3_finalize(rank) != SQLITE_OK)
        status = CS_SQL;
    if (status == CS_OK)
        status = cs_trace_compute(rows, cs_rank_times_fill);
    return status == CS_OK ? cs_trace_commit(rows) : status;
}

static int convert(const char *path)
{
    sqlite3 *db;
    struct cs_trace_writer *rows = NULL;
    enum cs_status status = sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK ? CS_OK : CS_SQL;
    if (status == CS_OK)
        status = cs_trace_create_of_node(path, NULL, &rows);
    if (status == CS_OK)
        status = copy(db, rows);
    if (status != CS_OK)
        fprintf(stderr, "%s: %s, %s\n", path, cs_status_text(status), sqlite3_errmsg(db));
    enum cs_status closed = cs_trace_close(rows, status == CS_OK, false);
    sqlite3_close(db);
    return status == CS_OK && closed == CS_OK ? 0 : 1;
}

int main(int count, char **word)
{
    int failed = 0;
    for (int i = 1; i < count; i++)
        failed |= convert(word[i]);
    return failed;
}
