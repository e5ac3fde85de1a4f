/* Merges the traces of many ranks into one database with the same schema. Traces are untrusted: only plain rows of
   plain tables are copied, into callsign's own tables and views. */
#pragma once

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "base/parallel.h"
#include "base/status.h"

/* Called after each file. */
typedef void (*cs_merge_progress)(void *context, uint64_t done, uint64_t total);

struct cs_merge_job {
    const char *const *path; /* traces, the lowest rank first: the run uses its clock */
    size_t count;
    cs_merge_progress progress; /* may be NULL */
    void *progress_context;
    const char *database; /* target file, for messages; NULL: a temporary database */
    /* Logs why the file at path is left out: a line, which names the file. NULL: cs_log. */
    void (*on_left_out)(void *context, const char *path, const char *line);
    void *left_out_context;
    bool leave_profile;                 /* the profile of ranks stays in their files: db/run/rank_profile.h */
    const struct cs_parallel *parallel; /* NULL: this process reads all traces */
    int processes;                      /* with this one, which is number 0 */
};

/* Creates the empty tables and the views of a trace in an empty database. CS_SQL (logged). */
enum cs_status cs_merge_prepare(sqlite3 *db);

/* Copies all traces into the prepared database. All *_ns times move to the clock of the first rank (db/run/axis.h),
 * whose return from MPI_Init is the zero of the run. process.clock_offset_ns, clock_drift_ppb and clock_error_ns
 * have the findings for each rank's clock. A trace that cannot be read is logged in one line and counted in
 * left_out; the others are still copied. CS_NO_SPACE, CS_NO_MEMORY, CS_SQL: the whole merge failed (logged). */
enum cs_status cs_merge_traces(sqlite3 *db, const struct cs_merge_job *job, size_t *left_out);
