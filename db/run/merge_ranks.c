#include "db/run/merge_ranks.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/log.h"
#include "db/run/axis.h"
#include "db/run/merge_tables.h"
#include "db/run/rank_pool.h"
#include "db/run/rank_share.h"
#include "db/trace/schema.h"
#include "db/trace/untrusted.h"

/* A rank that was copied. */
struct copied_rank {
    int64_t rank;             /* in the run */
    size_t trace;             /* number of its trace */
    struct cs_axis_shift was; /* conversion that was applied to its instants */
};

struct copied_ranks {
    struct copied_rank *rank; /* to be freed */
    size_t count, room;
};

struct merge {
    sqlite3 *db;
    const struct cs_merge_job *job;
    struct cs_axis *axis;
    struct cs_table_writer *writer;
    sqlite3_stmt *has_rank;
    struct copied_ranks ranks;
    bool has_zero;   /* a trace with a start time was found: its zero becomes the run's */
    int64_t zero_ns; /* on the axis */
    char message[PATH_MAX + CS_UNTRUSTED_MESSAGE_BYTES]; /* why a file cannot be read to the end; "" */
};

static enum cs_status run(sqlite3 *db, const char *sql)
{
    return cs_merge_status(db, sqlite3_exec(db, sql, NULL, NULL, NULL));
}

enum cs_status cs_merge_prepare(sqlite3 *db)
{
    /* This database is private, and worth nothing unless it is whole: no journal, and no waiting for the disk. Pages of
       8 KiB are read faster than those of 4 and waste less; larger ones make merged files of small runs large. */
    static const char settings[] = "PRAGMA page_size = 8192; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
                                   "PRAGMA cache_size = -65536; PRAGMA locking_mode = EXCLUSIVE";
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL); /* refuses to do without a journal */
    enum cs_status status = run(db, settings);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    if (status == CS_OK &&
        (cs_schema_add_tables(db, false) != SQLITE_OK || cs_schema_add_views(db, false) != SQLITE_OK))
        status = CS_SQL;
    char message[CS_MERGE_MESSAGE_BYTES];
    if (status != CS_OK)
        cs_log("cannot make a database for all ranks: %s", cs_merge_message(db, message));
    return status;
}

/* ---- moving ranks: they are copied by the time of day of their nodes, so that each trace is opened once, and moved
   where they lie when all clocks are known ---- */

/* Notes which ranks the trace has. Returns false without memory. */
static bool add_ranks(struct copied_ranks *ranks, const struct cs_rank_rows *rows, size_t trace,
                      const struct cs_merge_shift *shift)
{
    for (size_t i = 0; i < rows->ranks; i++) {
        if (!cs_array_grow(&ranks->rank, ranks->count, &ranks->room, sizeof *ranks->rank))
            return false;
        ranks->rank[ranks->count++] =
            (struct copied_rank){.rank = rows->rank[i] + shift->rank, .trace = trace, .was = shift->on_axis};
    }
    return true;
}

/* ---- what is to be done to each rank ---- */

/* A stored instant t was moved by `was`; its correct value is t + offset + drift * t. zero is added to the clock
   readings at instant 0. The other columns are NULL if nothing was found. */
static const char make_table[] =
    "CREATE TEMP TABLE correction (rank INTEGER PRIMARY KEY, was_ns INT, offset_ns INT, drift REAL, zero_ns INT,"
    " seconds TEXT, drift_ppb INT, error_ns INT, contradiction_ns INT)";

enum parameter {
    RANK = 1,
    WAS,
    OFFSET,
    DRIFT,
    ZERO,
    SECONDS,
    DRIFT_PPB,
    ERROR,
    CONTRADICTION,
};

static void bind_found(sqlite3_stmt *row, enum parameter parameter, bool known, double value)
{
    if (known && fabs(value) < 9e18)
        sqlite3_bind_int64(row, parameter, llround(value));
}

static bool insert(sqlite3_stmt *row, const struct copied_rank *rank, const struct cs_axis_shift *is)
{
    char seconds[32];
    sqlite3_clear_bindings(row);
    sqlite3_bind_int64(row, RANK, rank->rank);
    sqlite3_bind_int64(row, WAS, rank->was.offset_ns);
    sqlite3_bind_int64(row, OFFSET, is->offset_ns);
    sqlite3_bind_double(row, DRIFT, is->drift);
    sqlite3_bind_int64(row, ZERO, cs_merge_zero(is) - cs_merge_zero(&rank->was));
    sqlite3_snprintf(sizeof seconds, seconds, "%.3f seconds", is->correction_ns / 1e9);
    if (fabs(is->correction_ns) >= 1e9)
        sqlite3_bind_text(row, SECONDS, seconds, -1, SQLITE_STATIC);
    bind_found(row, DRIFT_PPB, is->one_clock, is->drift * 1e9);
    bind_found(row, ERROR, is->one_clock && is->bounded, ceil(is->error_ns));
    bind_found(row, CONTRADICTION, is->one_clock && is->contradiction_ns > 0, is->contradiction_ns);
    sqlite3_step(row);
    return sqlite3_reset(row) == SQLITE_OK;
}

/* *moved: some instants must move. */
static bool fill_table(sqlite3 *db, const struct copied_ranks *ranks, const struct cs_axis *axis, bool *moved)
{
    static const char sql[] = "INSERT OR REPLACE INTO temp.correction VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    sqlite3_stmt *row;
    bool good = sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK;
    bool has_zero = false;
    int64_t zero_ns = 0;
    *moved = false;
    for (size_t i = 0; good && i < ranks->count; i++) {
        struct cs_axis_shift is = {0};
        if (cs_axis_shift(axis, ranks->rank[i].trace, &is)) {
            zero_ns = has_zero ? zero_ns : is.offset_ns;
            has_zero = true;
            is.offset_ns -= zero_ns;
        }
        *moved = *moved || is.drift != 0 || is.offset_ns != ranks->rank[i].was.offset_ns;
        good = insert(row, &ranks->rank[i], &is);
    }
    sqlite3_finalize(row);
    return good;
}

/* ---- moving ---- */

static bool move(sqlite3 *db)
{
    bool good = true;
    for (size_t i = 0; good && i < cs_merge_statements_count; i++)
        if (cs_merge_statements[i].move)
            good = sqlite3_exec(db, cs_merge_statements[i].move, NULL, NULL, NULL) == SQLITE_OK;
    return good;
}

/* Moves the ranks to the solved axis, whose zero is the first trace with a start time, and writes what was found of
   their clocks into `process`. CS_NO_SPACE, CS_NO_MEMORY, CS_SQL: not logged. */
static enum cs_status move_ranks(sqlite3 *db, const struct copied_ranks *ranks, const struct cs_axis *axis)
{
    static const char tell[] =
        "UPDATE main.process AS t SET zero_utc_ns = t.zero_utc_ns + c.zero_ns,"
        " zero_monotonic_ns = t.zero_monotonic_ns + c.zero_ns,"
        " clock_offset_ns = t.clock_offset_ns - c.was_ns + c.offset_ns,"
        " started_utc = coalesce(strftime('%Y-%m-%dT%H:%M:%SZ', t.started_utc, c.seconds), t.started_utc),"
        " clock_drift_ppb = coalesce(c.drift_ppb, t.clock_drift_ppb),"
        " clock_error_ns = coalesce(c.error_ns, t.clock_error_ns),"
        " clock_contradiction_ns = coalesce(c.contradiction_ns, t.clock_contradiction_ns)"
        " FROM temp.correction c WHERE c.rank = t.rank";
    bool moved = false;
    bool good = sqlite3_exec(db, make_table, NULL, NULL, NULL) == SQLITE_OK && fill_table(db, ranks, axis, &moved) &&
                (!moved || move(db)) && sqlite3_exec(db, tell, NULL, NULL, NULL) == SQLITE_OK &&
                sqlite3_exec(db, "DROP TABLE temp.correction", NULL, NULL, NULL) == SQLITE_OK;
    return good ? CS_OK : cs_merge_status(db, SQLITE_ERROR);
}

/* ---- one file ---- */

/* The rank of the file that another file has already; INT64_MIN: none. */
static int64_t taken_rank(struct merge *merge, const struct cs_rank_rows *rows)
{
    for (size_t i = 0; i < rows->ranks; i++) {
        sqlite3_bind_int64(merge->has_rank, 1, rows->rank[i]);
        bool taken = sqlite3_step(merge->has_rank) == SQLITE_ROW;
        sqlite3_reset(merge->has_rank);
        if (taken)
            return rows->rank[i];
    }
    return INT64_MIN;
}

/* Finds how to shift ranks and times of this file. Returns false if another file has its rank. */
static bool find_shift(struct merge *merge, struct cs_rank_rows *rows, const char *path, size_t number,
                       struct cs_merge_shift *shift)
{
    struct cs_axis_shift *on_axis = &shift->on_axis;
    int64_t rank = rows->rank[0], taken = taken_rank(merge, rows), lowest;
    *shift = (struct cs_merge_shift){0};
    /* Processes without rank have their process id instead, which is unique only on one node. */
    if (taken != INT64_MIN && rank < 0 && rank > INT32_MIN &&
        cs_merge_query_integer(merge->db, "SELECT min(rank) FROM main.process", NULL, &lowest)) {
        shift->rank = lowest - 1 - rank;
    } else if (taken != INT64_MIN) {
        snprintf(rows->message, sizeof rows->message, "%s claims to be rank %lld, which another file is; left out",
                 path, (long long)rank);
        return false;
    }
    if (!cs_axis_shift(merge->axis, number, on_axis))
        return true; /* unknown: its times stay as they are */
    if (!merge->has_zero)
        merge->zero_ns = on_axis->offset_ns;
    merge->has_zero = true;
    on_axis->offset_ns -= merge->zero_ns;
    return true;
}

static void log_failure(const struct merge *merge, enum cs_status status)
{
    const char *folder = getenv("TMPDIR");
    char message[CS_MERGE_MESSAGE_BYTES];
    if (status == CS_NO_SPACE && merge->job->database)
        cs_log("no space to merge the ranks in %s", merge->job->database);
    else if (status == CS_NO_SPACE)
        cs_log("no space to merge the ranks in %s: set TMPDIR to a folder with more", folder ? folder : "/var/tmp");
    else if (status != CS_NO_MEMORY) /* logged by cs_run_open */
        cs_log("cannot merge the ranks: %s", *merge->message ? merge->message : cs_merge_message(merge->db, message));
}

static enum cs_status leave_out(const struct merge *merge, const char *path, const char *message)
{
    if (merge->job->on_left_out)
        merge->job->on_left_out(merge->job->left_out_context, path, message);
    else
        cs_log("%s", message);
    return CS_CORRUPT;
}

static void note_failure(struct merge *merge, const char *path, const struct cs_rank_rows *rows)
{
    snprintf(merge->message, sizeof merge->message, "%s: %s", path, rows->message);
}

/* CS_CORRUPT: left out. */
static enum cs_status copy_file(struct merge *merge, struct cs_rank_rows *rows, size_t number)
{
    const char *path = merge->job->path[number];
    struct cs_merge_shift shift;
    if (rows->status == CS_SQL)
        note_failure(merge, path, rows);
    if (rows->status == CS_SQL || rows->status == CS_NO_MEMORY)
        return rows->status;
    if (rows->status != CS_OK)
        return leave_out(merge, path, rows->message);
    if (!cs_axis_add(merge->axis, &rows->clock, number))
        return CS_NO_MEMORY;
    if (!find_shift(merge, rows, path, number, &shift))
        return leave_out(merge, path, rows->message);
    enum cs_status status = cs_table_writer_add(merge->writer, rows, &shift);
    if (rows->status == CS_SQL)
        note_failure(merge, path, rows);
    if (status == CS_OK && !add_ranks(&merge->ranks, rows, number, &shift))
        status = CS_NO_MEMORY;
    return status;
}

/* ---- all files ---- */

static bool is_fatal(enum cs_status status)
{
    return status == CS_NO_SPACE || status == CS_NO_MEMORY || status == CS_SQL;
}

static enum cs_status copy_files(struct merge *merge, size_t *left_out)
{
    const struct cs_merge_job *job = merge->job;
    struct cs_rank_share *share = NULL;
    struct cs_rank_pool *pool = NULL;
    if (job->parallel)
        share = cs_rank_share_begin(job->parallel, job->processes, job->path, job->count, job->leave_profile);
    else
        pool = cs_rank_pool_create(job->path, job->count, job->leave_profile);
    enum cs_status status = share || pool ? CS_OK : CS_NO_MEMORY;
    for (size_t i = 0; i < job->count && !is_fatal(status); i++) {
        struct cs_rank_rows *rows = share ? cs_rank_share_take(share, i) : cs_rank_pool_take(pool, i);
        status = copy_file(merge, rows, i);
        if (status == CS_CORRUPT && rows->apart)
            cs_rank_share_refuse(share, i);
        cs_rank_close(rows);
        *left_out += status != CS_OK;
        if (job->progress)
            job->progress(job->progress_context, i + 1, job->count);
    }
    if (!is_fatal(status) && share)
        status = cs_rank_share_finish(share, cs_table_writer_summary(merge->writer));
    if (status == CS_SQL && share && !*merge->message)
        snprintf(merge->message, sizeof merge->message, "another process failed");
    cs_rank_pool_destroy(pool);
    cs_rank_share_end(share);
    return is_fatal(status) ? status : CS_OK;
}

static enum cs_status merge_all(struct merge *merge, size_t *left_out)
{
    static const char has_rank[] = "SELECT 1 FROM main.process WHERE rank = ?1";
    enum cs_status status = run(merge->db, "BEGIN");
    if (status == CS_OK)
        status = cs_merge_status(merge->db, sqlite3_prepare_v2(merge->db, has_rank, -1, &merge->has_rank, NULL));
    if (status == CS_OK)
        status = cs_table_writer_create(merge->db, merge->job->leave_profile, &merge->writer);
    if (status == CS_OK)
        status = copy_files(merge, left_out);
    if (status == CS_OK)
        status = cs_table_writer_finish(merge->writer);
    if (status == CS_OK) {
        cs_axis_solve(merge->axis);
        status = move_ranks(merge->db, &merge->ranks, merge->axis);
    }
    if (status == CS_OK)
        status = run(merge->db, "COMMIT");
    return status;
}

enum cs_status cs_merge_traces(sqlite3 *db, const struct cs_merge_job *job, size_t *left_out)
{
    struct merge merge = {.db = db, .job = job, .axis = cs_axis_create(job->count)};
    *left_out = 0;
    enum cs_status status = merge.axis ? merge_all(&merge, left_out) : CS_NO_MEMORY;
    if (status != CS_OK)
        log_failure(&merge, status);
    cs_table_writer_destroy(merge.writer);
    sqlite3_finalize(merge.has_rank);
    cs_axis_destroy(merge.axis);
    free(merge.ranks.rank);
    return status;
}
