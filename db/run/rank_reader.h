/* Internal to the merge: reads the file of a rank whole, in any thread, before the first of its rows is written. So a
   damaged file leaves only itself out. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "db/run/axis.h"
#include "db/summary/rank_times.h"
#include "db/trace/untrusted.h"

/* What was read of a file. Zeroed, or used for another file before. */
struct cs_rank_rows {
    enum cs_status status; /* CS_OK, CS_NO_MEMORY; others: the file is left out, for the reason in `message` */
    char message[CS_UNTRUSTED_MESSAGE_BYTES];
    int64_t *rank; /* whose rows these are */
    size_t ranks, rank_room;
    struct cs_clock_facts clock;
    struct cs_summary *summary; /* of these ranks, which the file has; NULL: it must be computed from the rows */
    bool apart;                 /* another process has added up the calls; the rows of rank_time are there */

    size_t *begin; /* of each table's rows in `bytes` */
    char *bytes;
    size_t used, room, most; /* most: more would not be in a sound file */
    bool kept;               /* rows are kept, and not only looked at */

    /* the rows that are not in memory yet */
    bool leave_profile;
    sqlite3 *db; /* NULL: none of a file */
    sqlite3_stmt *row;
    size_t table;
    bool (*next)(struct cs_rank_rows *rows); /* gets rows from elsewhere; NULL: from db */
    void *context;                           /* of next */
};

enum { CS_RANK_BATCH_BYTES = 1 << 20 };

/* Reads the tables of a trace. The rows of a very large one are only looked at: cs_rank_next reads them again. A
   summary has the place of its table. Without one, the table rank_time is not read. leave_profile: with one, the table
   profile is not read. */
void cs_rank_read(struct cs_rank_rows *rows, const char *path, bool leave_profile);

/* Puts more rows into memory, in place of those that are there. False: there are no more, or they cannot be read, which
   `status` and `message` tell. */
bool cs_rank_next(struct cs_rank_rows *rows);

/* Closes the file, if it is open still. */
void cs_rank_close(struct cs_rank_rows *rows);

/* Frees all memory. */
void cs_rank_free(struct cs_rank_rows *rows);

/* Reads the next value at *at, and moves on. */
struct cs_kept_value cs_kept_next(const struct cs_rank_rows *rows, size_t *at);
