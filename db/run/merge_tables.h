/* Internal to the merge: writes the rows of one trace into the database of all ranks. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "db/run/axis.h"
#include "db/run/rank_reader.h"

#define CS_MERGE_SOURCE "callsign_rows" /* the table that cs_merge_statements read; as in gen/model_tables.py */

/* Shifts of a file's ranks and times. */
struct cs_merge_shift {
    int64_t rank;
    struct cs_axis_shift on_axis; /* conversion to the zero of the run, without drift */
};

struct cs_table_writer;

/* leave_profile: the table profile gets only rows of processes without rank. CS_NO_MEMORY, CS_SQL: not logged. */
enum cs_status cs_table_writer_create(sqlite3 *db, bool leave_profile, struct cs_table_writer **writer);
void cs_table_writer_destroy(struct cs_table_writer *writer);

/* Writes all rows of a file that was read. CS_NO_SPACE, CS_NO_MEMORY, CS_SQL: the database of all ranks failed, or its
   rows cannot be read to the end (not logged). */
enum cs_status cs_table_writer_add(struct cs_table_writer *writer, struct cs_rank_rows *rows,
                                   const struct cs_merge_shift *shift);

/* The summary of all ranks so far, to which those of other ranks may be added. */
struct cs_summary *cs_table_writer_summary(struct cs_table_writer *writer);

/* Writes the tables that are computed from all ranks. As cs_table_writer_add. */
enum cs_status cs_table_writer_finish(struct cs_table_writer *writer);

/* The instant of a trace that becomes 0. */
int64_t cs_merge_zero(const struct cs_axis_shift *shift);
