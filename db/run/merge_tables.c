#include "db/run/merge_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number_table.h"
#include "db/summary/rank_times.h"
#include "db/trace/rows_table.h"
#include "db/trace/trace_writer.h"

int64_t cs_merge_zero(const struct cs_axis_shift *shift)
{
    double ns = -(double)shift->offset_ns / (1 + shift->drift);
    return fabs(ns) < 9e18 ? llround(ns) : 0;
}

/* ---- rows that many ranks share ---- */

/* Notes the number of a row: most ranks have most frames and call sites in common. Without memory, and of 0, nothing is
   known. */
static bool is_known(struct cs_number_table *numbers, int64_t number)
{
    size_t before = numbers->count;
    return number && cs_number_table_add(numbers, (uint64_t)number, sizeof number) && numbers->count == before;
}

/* ---- writing ---- */

struct cs_table_writer {
    sqlite3 *db;
    sqlite3_stmt **write;
    struct cs_number_table *known; /* numbers of rows that were written, of each table with shared rows */
    struct cs_rank_times *times;
    size_t left; /* the table that gets only rows of processes without rank; cs_merge_statements_count: none */
    /* the rows that are written */
    const struct cs_rank_rows *rows;
    size_t table, at;
    struct cs_kept_value value[CS_ROW_VALUES + 1];
};

static size_t number_of(const char *table)
{
    size_t number = 0;
    while (strcmp(cs_merge_statements[number].table, table) != 0)
        number++;
    return number;
}

/* Reads the next row that is to be written, and adds it up unless that was done. */
static int next_row(void *context, bool *ended)
{
    struct cs_table_writer *writer = context;
    const struct cs_merge_statement *statement = &cs_merge_statements[writer->table];
    struct cs_kept_value *value = writer->value;
    while (writer->rows && writer->rows->bytes[writer->at]) {
        writer->at++;
        for (int i = 0; i < statement->columns; i++)
            value[i] = cs_kept_next(writer->rows, &writer->at);
        if (!writer->rows->summary && !writer->rows->apart && cs_rank_times_need(writer->times, writer->table) &&
            cs_rank_times_take(writer->times, writer->table, value) != SQLITE_OK)
            return SQLITE_NOMEM;
        bool known = statement->shared && value->type == SQLITE_INTEGER &&
                     is_known(&writer->known[writer->table], value->integer);
        bool left = writer->table == writer->left && value->integer >= 0;
        if (!known && !left)
            return SQLITE_OK;
    }
    *ended = true;
    return SQLITE_OK;
}

static int give_value(void *context, int column, sqlite3_context *result)
{
    const struct cs_kept_value *value = &((const struct cs_table_writer *)context)->value[column];
    if (value->type == SQLITE_INTEGER)
        sqlite3_result_int64(result, value->integer);
    else if (value->type == SQLITE_FLOAT)
        sqlite3_result_double(result, value->real);
    else if (value->type == SQLITE_TEXT)
        sqlite3_result_text64(result, value->bytes, value->length, SQLITE_STATIC, SQLITE_UTF8);
    else if (value->type == SQLITE_BLOB)
        sqlite3_result_blob64(result, value->bytes, value->length, SQLITE_STATIC);
    return SQLITE_OK;
}

static enum cs_status status_of(sqlite3 *db, int result)
{
    return result == SQLITE_NOMEM ? CS_NO_MEMORY : cs_merge_status(db, result);
}

enum cs_status cs_table_writer_create(sqlite3 *db, bool leave_profile, struct cs_table_writer **writer)
{
    struct cs_table_writer *made = calloc(1, sizeof *made);
    *writer = made;
    if (!made)
        return CS_NO_MEMORY;
    made->db = db;
    const struct cs_rows_source source = {.context = made, .next = next_row, .give = give_value};
    made->left = leave_profile ? number_of("profile") : cs_merge_statements_count;
    made->write = calloc(cs_merge_statements_count, sizeof *made->write);
    made->known = calloc(cs_merge_statements_count, sizeof *made->known);
    enum cs_status status =
        made->write && made->known ? status_of(db, cs_rank_times_create(db, &made->times)) : CS_NO_MEMORY;
    if (status == CS_OK)
        status = cs_merge_status(db, cs_rows_table_add(db, CS_MERGE_SOURCE, &source));
    for (size_t i = 0; status == CS_OK && i < cs_merge_statements_count; i++)
        status = cs_merge_status(db, sqlite3_prepare_v3(db, cs_merge_statements[i].write, -1, SQLITE_PREPARE_PERSISTENT,
                                                        &made->write[i], NULL));
    return status;
}

void cs_table_writer_destroy(struct cs_table_writer *writer)
{
    if (!writer)
        return;
    for (size_t i = 0; i < cs_merge_statements_count; i++) {
        if (writer->write)
            sqlite3_finalize(writer->write[i]);
        if (writer->known)
            free(writer->known[i].slot);
    }
    cs_rows_table_remove(writer->db, CS_MERGE_SOURCE);
    cs_rank_times_destroy(writer->times);
    free(writer->write);
    free(writer->known);
    free(writer);
}

static int write_table(struct cs_table_writer *writer, const struct cs_rank_rows *rows, size_t table)
{
    if (!rows->bytes[rows->begin[table]])
        return SQLITE_OK;
    writer->rows = rows;
    writer->table = table;
    writer->at = rows->begin[table];
    sqlite3_step(writer->write[table]);
    writer->rows = NULL;
    return sqlite3_reset(writer->write[table]);
}

/* Writes the rows in memory. */
static enum cs_status write_batch(struct cs_table_writer *writer, const struct cs_rank_rows *rows,
                                  const struct cs_merge_shift *shift)
{
    int result = SQLITE_OK;
    for (size_t i = 0; result == SQLITE_OK && i < cs_merge_statements_count; i++) {
        sqlite3_stmt *write = writer->write[i];
        /* A table without times or ranks has no such parameter; SQLITE_RANGE is no error here. */
        sqlite3_bind_int64(write, 1, shift->on_axis.offset_ns);
        sqlite3_bind_int64(write, 2, shift->rank);
        sqlite3_bind_int64(write, 3, cs_merge_zero(&shift->on_axis));
        result = write_table(writer, rows, i);
        sqlite3_clear_bindings(write);
    }
    return status_of(writer->db, result);
}

enum cs_status cs_table_writer_add(struct cs_table_writer *writer, struct cs_rank_rows *rows,
                                   const struct cs_merge_shift *shift)
{
    enum cs_status status;
    do
        status = write_batch(writer, rows, shift);
    while (status == CS_OK && cs_rank_next(rows));
    if (status == CS_OK)
        status = rows->status;
    if (status == CS_OK && rows->apart)
        return CS_OK;
    if (status == CS_OK && rows->summary)
        return cs_summary_fold(cs_rank_times_summary(writer->times), rows->summary);
    return status == CS_OK ? status_of(writer->db, cs_rank_times_end_file(writer->times, shift->rank)) : status;
}

struct cs_summary *cs_table_writer_summary(struct cs_table_writer *writer)
{
    return cs_rank_times_summary(writer->times);
}

enum cs_status cs_table_writer_finish(struct cs_table_writer *writer)
{
    return status_of(writer->db, cs_rank_times_write(writer->times));
}
