/* Merge: the traces of many ranks in one database of the same schema. Traces are untrusted: only plain rows of plain
   tables are taken from them, into tables and views that are callsign's own. */
#pragma once

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Called after every file. */
typedef void (*cs_merge_progress)(void *context, uint64_t done, uint64_t total);

struct cs_merge_job {
    const char *const *path; /* traces, the lowest rank first: its clock becomes everybody's */
    size_t count;
    cs_merge_progress progress; /* may be NULL */
    void *progress_context;
    const char *database; /* file that the ranks are put into, for messages; NULL: a temporary one */
};

/* Makes the empty tables and the views of a trace in an empty database. CS_SQL (logged). */
enum cs_status cs_merge_prepare(sqlite3 *db);

/* Looks whether the attached (or main) database is a trace that this callsign can read; `path` is for the message.
   CS_NOT_OURS, CS_TOO_NEW, CS_CORRUPT: logged in one line. */
enum cs_status cs_merge_check(sqlite3 *db, const char *schema, const char *path);

/* Copies every trace into the prepared database. All *_ns times are moved to the clock of the first rank
   (db/run/axis.h): its return from MPI_Init becomes everybody's zero, and process.clock_offset_ns, clock_drift_ppb and
   clock_error_ns say what was found of a rank's clock. A trace that cannot be read is logged in one line, counted in
   *left_out, and the others are still copied. CS_NO_SPACE, CS_NO_MEMORY, CS_SQL: the whole merge failed (logged). */
enum cs_status cs_merge_traces(sqlite3 *db, const struct cs_merge_job *job, size_t *left_out);

/* The file: address under which SQLite opens a trace read-only, without locks if nobody changes it. sqlite3_free it;
   NULL: out of memory. */
char *cs_merge_address(const char *path);

/* The same with URI parameters of the caller's. */
char *cs_merge_address_of(const char *path, const char *parameters);

/* Opens a database, path or file: address, so that nothing a hostile file could bring along does more than return rows:
   no triggers, no functions of its own, no virtual tables, no extensions. flags as of sqlite3_open_v2; vfs: as of
   cs_long_path_vfs. CS_SQL, CS_NO_MEMORY: *db is NULL. */
enum cs_status cs_untrusted_open(const char *address, int flags, const char *vfs, sqlite3 **db);
