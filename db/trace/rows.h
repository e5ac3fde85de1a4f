/* Writing a trace: a new SQLite file, filled in one go by prepared statements, then moved to its place. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/status.h"

/* The tables of a trace; the texts of their statements are in rows.c. */
enum cs_row {
    /* written one by one, by cs_rows_write */
    CS_ROW_META,
    CS_ROW_PROCESS,
    CS_ROW_SEALED,
    CS_ROW_THREAD,
    CS_ROW_FUNCTION,
    CS_ROW_FRAME,
    CS_ROW_SITE,
    CS_ROW_RULE,
    CS_ROW_KEYVAL,
    CS_ROW_CREATED_KEYVAL,
    CS_ROW_HOLDERS,
    CS_ROW_PLACEMENT,
    CS_ROW_PROCESSOR,
    CS_ROW_THREAD_PROCESSOR,
    CS_ROW_PCONTROL,
    CS_ROW_EXCLUSION,
    CS_ROW_PENDING,
    CS_ROW_SYNCHRONIZATION,
    CS_ROW_COLLECTIVE,
    CS_ROW_ACTIVE_REQUEST,
    CS_ROW_WINDOW_LOCK,
    /* filled at once, by cs_rows_fill */
    CS_ROW_OBJECT,
    CS_ROW_NAMING,
    CS_ROW_COMMUNICATOR,
    CS_ROW_DATATYPE,
    CS_ROW_WINDOW,
    CS_ROW_ATTRIBUTE,
    CS_ROW_COMPARISON,
    CS_ROW_TRAFFIC,
    CS_ROW_TAG,
    CS_ROW_PROFILE,
    CS_ROW_COUNT
};

enum { CS_ROW_VALUES = 24 }; /* of one row, at most */

/* A column's value. */
struct cs_value {
    enum { CS_VALUE_IS_NULL, CS_VALUE_IS_INT, CS_VALUE_IS_TEXT } type;
    int64_t number;
    const char *text; /* stays the caller's; any bytes: see cs_rows_write */
};

static inline struct cs_value cs_int(int64_t number)
{
    return (struct cs_value){.type = CS_VALUE_IS_INT, .number = number};
}
/* The number, or NULL if it is the one that stands for "not known". */
static inline struct cs_value cs_int_unless(int64_t number, int64_t unknown)
{
    return (struct cs_value){.type = number == unknown ? CS_VALUE_IS_NULL : CS_VALUE_IS_INT, .number = number};
}
/* The text; NULL is NULL. */
static inline struct cs_value cs_text(const char *text)
{
    return (struct cs_value){.type = text ? CS_VALUE_IS_TEXT : CS_VALUE_IS_NULL, .text = text};
}

struct cs_rows;

/* Begins a trace that is to become `path`, as a temporary file in the same folder, with tables and views and one open
   transaction. like: the file whose group and mode it gets, of the same owner; NULL: nobody else may read it.
   page_bytes: of the database. Failures have been logged and leave nothing behind. */
enum cs_status cs_rows_create(const char *path, const struct stat *like, unsigned page_bytes, struct cs_rows **rows);

/* Writes one row of a table that is written row by row; values are bound in order. Text that is not valid UTF-8 is
   taken for Latin-1, because many readers refuse a database with anything else. A failure is logged once. */
enum cs_status cs_rows_write(struct cs_rows *rows, enum cs_row row, const struct cs_value *values, size_t count);

#define CS_WRITE(rows, row, ...)                                                                                       \
    cs_rows_write(rows, row, (const struct cs_value[]){__VA_ARGS__},                                                   \
                  sizeof((const struct cs_value[]){__VA_ARGS__}) / sizeof(struct cs_value))

/* Sets the values of the next row; what they point to stays until the next call. False: there is none. */
typedef bool cs_rows_next(void *context, struct cs_value values[CS_ROW_VALUES]);

/* Fills a table, several times faster than row by row. Each key comes once; in the table's order is fastest. Text is
   treated as by cs_rows_write. A failure is logged once. */
enum cs_status cs_rows_fill(struct cs_rows *rows, enum cs_row row, cs_rows_next *next, void *context);

/* The values of one row, from the first column on. */
#define CS_SET_ROW(values, ...)                                                                                        \
    memcpy(values, ((const struct cs_value[]){__VA_ARGS__}), sizeof((const struct cs_value[]){__VA_ARGS__}))

/* Whether a failure has been logged. */
bool cs_rows_failed(const struct cs_rows *rows);

/* Everything is on its way to the file; what is written from now on goes there row by row. */
enum cs_status cs_rows_commit(struct cs_rows *rows);

/* Ends it. keep: it was committed; move it to its path, replacing what was there; otherwise, and on failure, remove it.
   durable: wait until it is on the disk. NULL is allowed. */
enum cs_status cs_rows_close(struct cs_rows *rows, bool keep, bool durable);
