#include "db/run/merge_ranks.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/log.h"
#include "db/run/axis.h"
#include "db/run/merge_tables.h"
#include "db/trace/long_path.h"
#include "db/trace/schema.h"

enum cs_status cs_untrusted_open(const char *address, int flags, const char *vfs, sqlite3 **db)
{
    int result = sqlite3_open_v2(address, db, flags | SQLITE_OPEN_URI, cs_long_path_vfs(vfs));
    if (result != SQLITE_OK) {
        sqlite3_close(*db);
        *db = NULL;
        return result == SQLITE_NOMEM ? CS_NO_MEMORY : CS_SQL;
    }
    sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(*db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_exec(*db, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;", NULL, NULL, NULL);
    return CS_OK;
}

#define ATTACHED CS_MERGE_ATTACHED

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
    struct copied_ranks ranks;
    bool has_zero;   /* a trace with a start time was found: its zero becomes the run's */
    int64_t zero_ns; /* on the axis */
};

static enum cs_status run(sqlite3 *db, const char *sql)
{
    enum cs_status status = cs_merge_status(db, sqlite3_exec(db, sql, NULL, NULL, NULL));
    return status == CS_CORRUPT ? CS_SQL : status; /* none of these reads a trace */
}

enum cs_status cs_merge_prepare(sqlite3 *db)
{
    /* This database is private and temporary: durability has no value. The rollback journal stays, in memory,
       because the rows of a damaged file must be removed without the rest. */
    static const char settings[] =
        "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144;";
    enum cs_status status = run(db, settings);
    if (status == CS_OK &&
        (cs_schema_add_tables(db, false) != SQLITE_OK || cs_schema_add_views(db, false) != SQLITE_OK))
        status = CS_SQL;
    if (status != CS_OK)
        cs_log("cannot make a database for all ranks: %s", cs_merge_message(db));
    return status;
}

/* A PRAGMA takes no parameters; the schema's name is a constant. */
static bool ask_header(sqlite3 *db, const char *schema, const char *field, int64_t *answer)
{
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA %s.%s", schema, field);
    return cs_merge_query_integer(db, sql, NULL, answer);
}

enum cs_status cs_merge_check(sqlite3 *db, const char *schema, const char *path)
{
    int64_t application, version;
    if (!ask_header(db, schema, "application_id", &application) || !ask_header(db, schema, "user_version", &version)) {
        cs_log("%s is damaged: %s", path, cs_merge_message(db));
        return CS_CORRUPT;
    }
    if (application != CS_TRACE_APPLICATION_ID || version < 1) {
        cs_log("%s is a database, but not a callsign trace", path);
        return CS_NOT_OURS;
    }
    if (version < CS_TRACE_VERSION) {
        cs_log("%s was written by an older callsign (trace version %lld, this one reads %d): record the program again",
               path, (long long)version, CS_TRACE_VERSION);
        return CS_NOT_OURS;
    }
    if (version > CS_TRACE_VERSION) {
        cs_log("%s was written by a newer callsign (trace version %lld, this one reads %d): use that version", path,
               (long long)version, CS_TRACE_VERSION);
        return CS_TOO_NEW;
    }
    return CS_OK;
}

/* ---- moving ranks: they are copied by the time of day of their nodes, so that each trace is opened once, and moved
   where they lie when all clocks are known ---- */

/* Notes which ranks the attached trace has. CS_CORRUPT, CS_NO_MEMORY: not logged. */
static enum cs_status add_ranks(struct copied_ranks *ranks, sqlite3 *db, const char *schema, size_t trace,
                                const struct cs_merge_shift *shift)
{
    char sql[64];
    snprintf(sql, sizeof sql, "SELECT rank FROM %s.process", schema);
    sqlite3_stmt *rows;
    int result = sqlite3_prepare_v2(db, sql, -1, &rows, NULL);
    bool good = true;
    while (result == SQLITE_OK && good && sqlite3_step(rows) == SQLITE_ROW) {
        good = cs_array_grow(&ranks->rank, ranks->count, &ranks->room, sizeof *ranks->rank);
        if (good)
            ranks->rank[ranks->count++] = (struct copied_rank){
                .rank = sqlite3_column_int64(rows, 0) + shift->rank, .trace = trace, .was = shift->on_axis};
    }
    if (result == SQLITE_OK)
        result = sqlite3_finalize(rows);
    return good ? cs_merge_status(db, result) : CS_NO_MEMORY;
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
    snprintf(seconds, sizeof seconds, "%.3f seconds", is->correction_ns / 1e9);
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
    bool good = sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK &&
                sqlite3_exec(db, make_table, NULL, NULL, NULL) == SQLITE_OK && fill_table(db, ranks, axis, &moved) &&
                (!moved || move(db)) && sqlite3_exec(db, tell, NULL, NULL, NULL) == SQLITE_OK &&
                sqlite3_exec(db, "DROP TABLE temp.correction; COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    if (good)
        return CS_OK;
    enum cs_status status = cs_merge_status(db, SQLITE_ERROR);
    return status == CS_CORRUPT ? CS_SQL : status; /* none of these reads a trace */
}

/* ---- one file ---- */

/* Finds the ranks of this file, and how to shift its ranks and times. */
static enum cs_status find_shift(struct merge *merge, const char *path, size_t number, struct cs_merge_shift *shift)
{
    static const char first_rank[] =
        "SELECT rank FROM " ATTACHED ".process WHERE rank IS NOT NULL ORDER BY rank LIMIT 1";
    static const char same_ranks[] = "SELECT count(*) FROM main.process JOIN " ATTACHED ".process USING (rank)";
    int64_t rank, lowest, taken = 0;
    struct cs_axis_shift *on_axis = &shift->on_axis;
    if (!cs_merge_has_table(merge->db, ATTACHED, "process") ||
        !cs_merge_query_integer(merge->db, first_rank, NULL, &rank)) {
        cs_log("%s is damaged: it names no rank; left out", path);
        return CS_CORRUPT;
    }
    *shift = (struct cs_merge_shift){0};
    bool known = cs_merge_query_integer(merge->db, same_ranks, NULL, &taken);
    /* Processes without rank have their process id instead, which is unique only on one node. */
    if (known && taken && rank < 0 && rank > INT32_MIN &&
        cs_merge_query_integer(merge->db, "SELECT min(rank) FROM main.process", NULL, &lowest)) {
        shift->rank = lowest - 1 - rank;
        taken = 0;
    }
    if (!known || taken) {
        cs_log("%s claims to be rank %lld, which another file is; left out", path, (long long)rank);
        return CS_CORRUPT;
    }
    if (!cs_axis_shift(merge->axis, number, on_axis))
        return CS_OK; /* unknown: its times stay as they are */
    if (!merge->has_zero)
        merge->zero_ns = on_axis->offset_ns;
    merge->has_zero = true;
    on_axis->offset_ns -= merge->zero_ns;
    return CS_OK;
}

static void log_failure(const struct merge *merge, enum cs_status status)
{
    const char *folder = getenv("TMPDIR");
    if (status == CS_NO_SPACE && merge->job->database)
        cs_log("no space to merge the ranks in %s", merge->job->database);
    else if (status == CS_NO_SPACE)
        cs_log("no space to merge the ranks in %s: set TMPDIR to a folder with more", folder ? folder : "/var/tmp");
    else if (status != CS_NO_MEMORY) /* logged by cs_run_open */
        cs_log("cannot merge the ranks: %s", cs_merge_message(merge->db));
}

/* Each file has its own transaction, because damage may appear in the middle. After reading a damaged page, SQLite
   can write nothing until the end of the transaction, even after ROLLBACK TO. */
static enum cs_status copy_file(struct merge *merge, size_t number)
{
    const char *path = merge->job->path[number];
    const struct merge before = *merge;
    struct cs_merge_shift shift;
    enum cs_status status = cs_merge_check(merge->db, ATTACHED, path);
    if (status != CS_OK)
        return status;
    if (!cs_axis_read(merge->axis, merge->db, ATTACHED, number))
        return CS_NO_MEMORY;
    status = find_shift(merge, path, number, &shift);
    if (status != CS_OK)
        return status;
    status = run(merge->db, "BEGIN");
    if (status == CS_OK)
        status = cs_merge_tables(merge->db, path, &shift);
    if (status == CS_OK)
        status = add_ranks(&merge->ranks, merge->db, ATTACHED, number, &shift);
    if (status == CS_OK)
        status = run(merge->db, "COMMIT");
    if (status != CS_OK && status != CS_CORRUPT)
        log_failure(merge, status);
    if (!sqlite3_get_autocommit(merge->db) && run(merge->db, "ROLLBACK") != CS_OK)
        status = CS_SQL;
    if (status != CS_OK) { /* a rank that was not copied must not define a clock */
        merge->has_zero = before.has_zero;
        merge->zero_ns = before.zero_ns;
        merge->ranks.count = before.ranks.count;
    }
    return status;
}

/* ---- all files ---- */

char *cs_merge_address_of(const char *path, const char *parameters)
{
    sqlite3_str *address = sqlite3_str_new(NULL);
    sqlite3_str_appendall(address, "file:");
    for (const char *c = path; *c; c++)
        if (strchr("%?#", *c))
            sqlite3_str_appendf(address, "%%%02x", (unsigned char)*c);
        else
            sqlite3_str_appendchar(address, 1, *c);
    sqlite3_str_appendf(address, "?%s", parameters);
    return sqlite3_str_finish(address);
}

/* Only a regular file: SQLite would wait for a pipe with that name. */
static bool has_companion(const char *path, const char *suffix)
{
    struct stat about;
    char *companion = sqlite3_mprintf("%s%s", path, suffix);
    bool found = companion && stat(companion, &about) == 0 && S_ISREG(about.st_mode);
    sqlite3_free(companion);
    return found;
}

/* Traces appear complete, by a rename, and need no locks, which some shared file systems lack. If somebody is
   changing one by hand, SQLite has a journal of it in the same folder. */
char *cs_merge_address(const char *path)
{
    bool changing = has_companion(path, "-journal") || has_companion(path, "-wal");
    return cs_merge_address_of(path, changing ? "mode=ro" : "mode=ro&immutable=1");
}

static bool try_attach(sqlite3 *db, const char *path)
{
    char *address = cs_merge_address(path);
    sqlite3_stmt *statement = NULL;
    bool attached = address && sqlite3_prepare_v2(db, "ATTACH ?1 AS " ATTACHED, -1, &statement, NULL) == SQLITE_OK &&
                    sqlite3_bind_text(statement, 1, address, -1, SQLITE_STATIC) == SQLITE_OK &&
                    sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_finalize(statement);
    sqlite3_free(address);
    return attached;
}

static bool attach(sqlite3 *db, const char *path)
{
    if (try_attach(db, path))
        return true;
    if (access(path, R_OK) != 0) {
        cs_log("%s cannot be read: %s; left out", path, strerror(errno));
        return false;
    }
    /* For some damage to the schema, SQLite only reports that it cannot open the file. */
    const char *message = cs_merge_message(db);
    if (strncmp(message, "unable to open", 14) == 0)
        message = "its schema cannot be read";
    cs_log("%s is damaged: %s; left out", path, message);
    return false;
}

static bool is_fatal(enum cs_status status)
{
    return status == CS_NO_SPACE || status == CS_NO_MEMORY || status == CS_SQL;
}

static enum cs_status correct(struct merge *merge)
{
    cs_axis_solve(merge->axis);
    enum cs_status status = move_ranks(merge->db, &merge->ranks, merge->axis);
    if (status != CS_OK)
        log_failure(merge, status);
    return status;
}

enum cs_status cs_merge_traces(sqlite3 *db, const struct cs_merge_job *job, size_t *left_out)
{
    struct merge merge = {.db = db, .job = job, .axis = cs_axis_create(job->count)};
    enum cs_status status = merge.axis ? CS_OK : CS_NO_MEMORY;
    *left_out = 0;
    for (size_t i = 0; i < job->count && !is_fatal(status); i++) {
        bool attached = attach(db, job->path[i]);
        status = attached ? copy_file(&merge, i) : CS_CORRUPT;
        if (attached)
            run(db, "DETACH " ATTACHED);
        *left_out += status != CS_OK;
        if (job->progress)
            job->progress(job->progress_context, i + 1, job->count);
    }
    if (!is_fatal(status))
        status = correct(&merge);
    cs_axis_destroy(merge.axis);
    free(merge.ranks.rank);
    return is_fatal(status) ? status : CS_OK;
}
