/* Merges the traces of many ranks into one database with the same schema. Traces are untrusted: only plain rows of
   plain tables are copied, into callsign's own tables and views. */
#pragma once

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Called after each file. */
typedef void (*cs_merge_progress)(void *context, uint64_t done, uint64_t total);

struct cs_merge_job {
    const char *const *path; /* traces, the lowest rank first: the run uses its clock */
    size_t count;
    cs_merge_progress progress; /* may be NULL */
    void *progress_context;
    const char *database; /* target file, for messages; NULL: a temporary database */
};

/* Creates the empty tables and the views of a trace in an empty database. CS_SQL (logged). */
enum cs_status cs_merge_prepare(sqlite3 *db);

/* Checks whether the attached (or main) database is a trace that this callsign can read; `path` is for messages.
   CS_NOT_OURS, CS_TOO_NEW, CS_CORRUPT: logged in one line. */
enum cs_status cs_merge_check(sqlite3 *db, const char *schema, const char *path);

/* Copies all traces into the prepared database. All *_ns times move to the clock of the first rank (db/run/axis.h),
 * whose return from MPI_Init is the zero of the run. process.clock_offset_ns, clock_drift_ppb and clock_error_ns
 * have the findings for each rank's clock. A trace that cannot be read is logged in one line and counted in
 * left_out; the others are still copied. CS_NO_SPACE, CS_NO_MEMORY, CS_SQL: the whole merge failed (logged). */
enum cs_status cs_merge_traces(sqlite3 *db, const struct cs_merge_job *job, size_t *left_out);

/* The file: address for opening a trace read-only, without locks if nobody changes it. Free it with sqlite3_free;
   NULL: out of memory. */
char *cs_merge_address(const char *path);

/* cs_merge_address with the caller's URI parameters. */
char *cs_merge_address_of(const char *path, const char *parameters);

/* Opens a database (path or file: address) so that a hostile file can only return rows: no triggers, functions of
   its own, virtual tables, or extensions. flags: for sqlite3_open_v2; vfs: from cs_long_path_vfs. CS_SQL,
   CS_NO_MEMORY: *db is NULL. */
enum cs_status cs_untrusted_open(const char *address, int flags, const char *vfs, sqlite3 **db);
