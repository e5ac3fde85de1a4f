/* Internal to the merge: adds up the MPI time of ranks while their rows are copied, and writes the tables rank_time and
   summary. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "db/run/rank_reader.h"

struct cs_rank_times;

/* CS_NO_MEMORY, CS_SQL: not logged. */
enum cs_status cs_rank_times_create(sqlite3 *db, struct cs_rank_times **times);
void cs_rank_times_destroy(struct cs_rank_times *times);

/* Whether the rows of this table are needed: number of a cs_merge_statement. */
bool cs_rank_times_need(const struct cs_rank_times *times, size_t table);

/* Takes a row of a needed table, as it was read. CS_NO_MEMORY. */
enum cs_status cs_rank_times_take(struct cs_rank_times *times, size_t table, const struct cs_kept_value *value);

/* All rows of a file were taken: writes those of rank_time. rank_shift: added to its ranks. CS_NO_MEMORY, CS_SQL or
   CS_NO_SPACE: not logged. */
enum cs_status cs_rank_times_end_file(struct cs_rank_times *times, int64_t rank_shift);

/* Writes the summary of all ranks. */
enum cs_status cs_rank_times_write(struct cs_rank_times *times);
