/* Internal to the merge: reads the file of a rank whole, in any thread, before the first of its rows is written. So a
   damaged file leaves only itself out. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "db/run/untrusted.h"

/* What was read of a file. Zeroed, or used for another file before. */
struct cs_rank_rows {
    enum cs_status status; /* CS_OK, CS_NO_MEMORY; others: the file is left out, for the reason in `message` */
    char message[CS_UNTRUSTED_MESSAGE_BYTES];
    sqlite3 *db;   /* the open file; NULL: it is left out */
    int64_t *rank; /* whose rows these are */
    size_t ranks, rank_room;
    bool kept;     /* the rows are in memory; otherwise there are too many */
    size_t *begin; /* of each table's rows */
    char *bytes;
    size_t used, room;
};

/* Reads the tables of a trace. The rows of a very large one are looked at, but not kept. */
void cs_rank_read(struct cs_rank_rows *rows, const char *path);

/* Closes the file. */
void cs_rank_close(struct cs_rank_rows *rows);

/* Frees all memory. */
void cs_rank_free(struct cs_rank_rows *rows);

/* A value of a kept row. */
struct cs_kept_value {
    int type; /* SQLITE_INTEGER, ... */
    int64_t integer;
    double real;
    const char *bytes; /* of texts and blobs */
    size_t length;
};

/* Reads the next value at *at, and moves on. */
struct cs_kept_value cs_kept_next(const struct cs_rank_rows *rows, size_t *at);
