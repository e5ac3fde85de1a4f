/* Adds up the MPI time of ranks, and writes the tables rank_time and summary: from rows that are copied, or of a trace
   that has several ranks. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/summary/summary.h"

/* A value of a row that was read. */
struct cs_kept_value {
    int type; /* SQLITE_INTEGER, ... */
    int64_t integer;
    double real;
    const char *bytes; /* of texts and blobs */
    size_t length;
};

struct cs_rank_times;

/* An SQLite error code, as from all functions here. After a failure the tables are not written. */
int cs_rank_times_create(sqlite3 *db, struct cs_rank_times **times);

/* Takes a row of rank_time, with the values that a trace has. Returns false without memory. */
typedef bool cs_rank_times_keep(void *context, const struct cs_kept_value *value, int count);

/* Without a database: `keep` gets the rows of rank_time. cs_rank_times_write must not be called. */
int cs_rank_times_create_apart(cs_rank_times_keep *keep, void *context, struct cs_rank_times **times);

void cs_rank_times_destroy(struct cs_rank_times *times);

/* Whether the rows of this table are needed: number of a cs_merge_statement. */
bool cs_rank_times_need(const struct cs_rank_times *times, size_t table);

/* Takes a row of a needed table, as it was read. */
int cs_rank_times_take(struct cs_rank_times *times, size_t table, const struct cs_kept_value *value);

/* All rows of a file were taken: writes those of rank_time. rank_shift: added to its ranks. */
int cs_rank_times_end_file(struct cs_rank_times *times, int64_t rank_shift);

/* The summary of all ranks so far, to which those of other ranks may be added. */
struct cs_summary *cs_rank_times_summary(struct cs_rank_times *times);

/* Writes the summary of all ranks. */
int cs_rank_times_write(struct cs_rank_times *times);

/* Whether it is one of the tables that are written. */
bool cs_rank_times_writes(const char *table);

/* Writes both tables of a database that has the other tables of one or more ranks. */
int cs_rank_times_fill(sqlite3 *db);

/* The same for one connection: temporary tables come before those of the file. of_region: the calls are those of the
   temporary view profile, and those that have not returned are left out: nobody knows their region. */
int cs_rank_times_fill_apart(sqlite3 *db, bool of_region);
