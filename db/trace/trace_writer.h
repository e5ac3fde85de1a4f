/* Writes a trace: a new SQLite file, filled at once by prepared statements, then moved to its place. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/status.h"

struct sqlite3;

/* A column's value. */
struct cs_value {
    enum { CS_VALUE_IS_NULL, CS_VALUE_IS_INT, CS_VALUE_IS_TEXT } type;
    int64_t number;
    const char *text; /* not copied; may contain any bytes: see cs_trace_insert */
};

static inline struct cs_value cs_int(int64_t number)
{
    return (struct cs_value){.type = CS_VALUE_IS_INT, .number = number};
}
/* The number, or NULL if it equals `unknown`. */
static inline struct cs_value cs_int_unless(int64_t number, int64_t unknown)
{
    return (struct cs_value){.type = number == unknown ? CS_VALUE_IS_NULL : CS_VALUE_IS_INT, .number = number};
}
/* The text; NULL is NULL. */
static inline struct cs_value cs_text(const char *text)
{
    return (struct cs_value){.type = text ? CS_VALUE_IS_TEXT : CS_VALUE_IS_NULL, .text = text};
}

/* enum cs_row, and for each table a struct cs_row_<table> of values. Fields that a writer does not set are NULL. */
#include "tables.h"

struct cs_trace_writer;

/* Begins a trace that is to become `path`, as a temporary file in the same folder, with all tables and one open
   transaction. rank: of all its rows. like: the file whose group and mode it gets, of the same owner; NULL: nobody else
   may read it. page_bytes: of the database. Failures have been logged and leave nothing behind. */
enum cs_status cs_trace_create(const char *path, int64_t rank, const struct stat *like, unsigned page_bytes,
                               struct cs_trace_writer **rows);

/* cs_trace_create for the ranks of a node: rows that they have in common are stored once, see cs_common_tables. Begin
   the rows of each rank with cs_trace_set_rank. */
enum cs_status cs_trace_create_of_node(const char *path, const struct stat *like, struct cs_trace_writer **rows);

/* The rank of all further rows. */
void cs_trace_set_rank(struct cs_trace_writer *rows, int64_t rank);

/* The trace must not replace a file that has its name. */
void cs_trace_keep_others(struct cs_trace_writer *rows);

/* Writes one row of a table that is not filled, or updates rows; `values` is the struct cs_row_<table>. Text that is
   not valid UTF-8 is read as Latin-1, because many readers refuse a database with other text. A failure is logged
   once. */
enum cs_status cs_trace_insert(struct cs_trace_writer *rows, enum cs_row row, const void *values);

/* cs_trace_insert with the columns inline: CS_INSERT(rows, rule, .rule = cs_int(1), .text = cs_text("...")). */
#define CS_INSERT(rows, table, ...) cs_trace_insert(rows, CS_ROW_##table, &(const struct cs_row_##table){__VA_ARGS__})

/* Sets the values of the next row, a struct cs_row_<table>. What they point to must stay valid until the next call.
   Returns false at the end. */
typedef bool cs_trace_next_row(void *context, void *row);

/* Fills a table. Keys must not repeat; the table's order is fastest. Text is converted as in cs_trace_insert. A
   failure is logged once. */
enum cs_status cs_trace_fill(struct cs_trace_writer *rows, enum cs_row row, cs_trace_next_row *next, void *context);

/* Lets a function write rows that it computes from those of the trace, in the open transaction. Its result is an SQLite
   error code. A failure is logged once. */
enum cs_status cs_trace_compute(struct cs_trace_writer *rows, int (*compute)(struct sqlite3 *db));

/* True if a failure has been logged. */
bool cs_trace_has_failed(const struct cs_trace_writer *rows);

/* Ends the transaction; later writes reach the file row by row. */
enum cs_status cs_trace_commit(struct cs_trace_writer *rows);

/* Fills the pages of a committed trace: rows that were added one by one leave them partly empty. This takes 2 ms for a
   trace of 150 KB and saves 2 to 3 KB, so nobody does it while a program waits. Errors are logged. */
enum cs_status cs_trace_compact(struct cs_trace_writer *rows);

/* Closes the trace. keep: it was committed; moves it to its path and replaces an older file. Otherwise, and after a
   failure, the file is removed. durable: waits until its content is on the disk; its name is not yet. NULL is
   allowed. */
enum cs_status cs_trace_close(struct cs_trace_writer *rows, bool keep, bool durable);
