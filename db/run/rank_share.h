/* Internal to the merge: files that other processes read (base/parallel.h). Process 0 writes the merged database. It
   gives each other process a list of files. Those read them in parallel, and send the rows in messages of limited size,
   the next one when the last was taken. They add up the calls of their files, and send the sums at the end. Process 0
   takes the files in the order of a merge by one process, so that the result is the same. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/parallel.h"
#include "db/run/rank_reader.h"

struct cs_rank_share;

/* ---- process 0 ---- */

/* Divides the files, which are read as by cs_rank_read, and gives each process its list. The paths stay the caller's.
   NULL: out of memory. */
struct cs_rank_share *cs_rank_share_begin(const struct cs_parallel *parallel, int processes, const char *const *path,
                                          size_t count, bool leave_profile);

/* Waits for file `number`; they are taken in order. The result is valid until the next is taken. */
struct cs_rank_rows *cs_rank_share_take(struct cs_rank_share *share, size_t number);

/* The file that was taken last is left out: its calls are not in the summary of its process. */
void cs_rank_share_refuse(struct cs_rank_share *share, size_t number);

/* All files were taken: adds the summaries of the processes. CS_NO_MEMORY; CS_SQL: a process failed; not logged. */
enum cs_status cs_rank_share_finish(struct cs_rank_share *share, struct cs_summary *summary);

/* Makes the processes stop where they are. NULL is allowed. */
void cs_rank_share_end(struct cs_rank_share *share);

/* Tells the other processes that there are no more files. */
void cs_rank_share_dismiss(const struct cs_parallel *parallel, int processes);

/* ---- the other processes ---- */

/* Reads the files of each list that comes, until process 0 has no more. Returns false if the MPI failed. */
bool cs_rank_share_serve(const struct cs_parallel *parallel);
