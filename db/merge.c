#include "db/merge.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "db/schema.h"

/* SQLite attaches at most ten databases (SQLITE_MAX_ATTACHED), and a transaction per file would cost a third more. */
#define BATCH 9

/* Points in time; every other *_ns column is a duration. */
static const char *const instants[] = {"began_ns", "init_ns",  "finalize_ns", "seen_ns",  "last_since_ns",
                                       "born_ns",  "freed_ns", "at_ns",       "ready_ns", "first_ns",
                                       "last_ns",  "since_ns", "until_ns"};

struct merge {
    sqlite3 *db;
    const struct cs_merge_job *job;
    size_t done, left_out;
    bool zero_known;
    int64_t zero_utc_ns; /* of the first rank: everybody's zero */
};

/* What is added to ranks and times of a file. */
struct shift {
    int64_t rank, ns;
};

static enum cs_status status_of(int result)
{
    switch (result & 0xff) {
    case SQLITE_OK:
        return CS_OK;
    case SQLITE_FULL:
        return CS_NO_SPACE;
    case SQLITE_NOMEM:
        return CS_NO_MEMORY;
    default:
        return CS_SQL;
    }
}

static enum cs_status run(sqlite3 *db, const char *sql)
{
    return status_of(sqlite3_exec(db, sql, NULL, NULL, NULL));
}

/* SQLite's messages quote what it found in a file, which can be any bytes. */
static const char *safe_message(sqlite3 *db)
{
    static char message[256];
    snprintf(message, sizeof message, "%s", sqlite3_errmsg(db));
    for (char *c = message; *c; c++)
        if (*c < 0x20 || *c > 0x7e)
            *c = '?';
    return message;
}

enum cs_status cs_merge_prepare(sqlite3 *db)
{
    /* Nobody else sees this database, and it is gone with its connection: durability is worth nothing. The rollback
       journal stays, in memory, because a damaged file must be taken back without the rest. */
    static const char settings[] =
        "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144;";
    enum cs_status status = run(db, settings);
    if (status == CS_OK)
        status = run(db, cs_schema_sql);
    for (size_t i = 0; status == CS_OK && i < cs_views_count; i++)
        status = run(db, cs_views[i].sql);
    if (status != CS_OK)
        cs_log("cannot make a database for all ranks: %s", safe_message(db));
    return status;
}

/* One integer of a query with at most two text parameters; false: no row, or an error. */
static bool ask(sqlite3 *db, const char *sql, const char *first, const char *second, int64_t *answer)
{
    sqlite3_stmt *query;
    if (sqlite3_prepare_v2(db, sql, -1, &query, NULL) != SQLITE_OK)
        return false;
    if (first)
        sqlite3_bind_text(query, 1, first, -1, SQLITE_STATIC);
    if (second)
        sqlite3_bind_text(query, 2, second, -1, SQLITE_STATIC);
    bool found = sqlite3_step(query) == SQLITE_ROW;
    if (found)
        *answer = sqlite3_column_int64(query, 0);
    return sqlite3_finalize(query) == SQLITE_OK && found;
}

/* A PRAGMA takes no parameters; the schema's name is one of ours. */
static bool ask_header(sqlite3 *db, const char *schema, const char *field, int64_t *answer)
{
    char sql[64];
    snprintf(sql, sizeof sql, "PRAGMA %s.%s", schema, field);
    return ask(db, sql, NULL, NULL, answer);
}

enum cs_status cs_merge_check(sqlite3 *db, const char *schema, const char *path)
{
    int64_t application, version;
    if (!ask_header(db, schema, "application_id", &application) || !ask_header(db, schema, "user_version", &version)) {
        cs_log("%s is damaged: %s", path, safe_message(db));
        return CS_CORRUPT;
    }
    if (application != CS_TRACE_APPLICATION_ID || version < 1) {
        cs_log("%s is a database, but not a callsign trace", path);
        return CS_NOT_OURS;
    }
    if (version > CS_TRACE_VERSION) {
        cs_log("%s was written by a newer callsign (trace version %lld, this one reads %d): use that version", path,
               (long long)version, CS_TRACE_VERSION);
        return CS_TOO_NEW;
    }
    return CS_OK;
}

/* ---- copying one file ---- */

static bool is_instant(const char *column)
{
    for (size_t i = 0; i < sizeof instants / sizeof *instants; i++)
        if (strcmp(column, instants[i]) == 0)
            return true;
    return false;
}

/* Writes how a column is copied: as it is, or moved in time (?1) or rank (?2). With the table's name in front, because
   SQLite takes a quoted name of a column that is not there for a text. */
static void write_expression(sqlite3_str *sql, const char *table, const char *column)
{
    bool process = strcmp(table, "process") == 0;
    if (strcmp(column, "rank") == 0)
        sqlite3_str_appendall(sql, "t.rank + ?2");
    else if (is_instant(column))
        sqlite3_str_appendf(sql, "t.\"%w\" + ?1", column);
    else if (process && strcmp(column, "zero_utc_ns") == 0)
        sqlite3_str_appendf(sql, "t.\"%w\" - ?1", column);
    else if (process && strcmp(column, "clock_offset_ns") == 0)
        sqlite3_str_appendf(sql, "coalesce(t.\"%w\", 0) + ?1", column);
    else
        sqlite3_str_appendf(sql, "t.\"%w\"", column);
}

/* The statement that copies a table; table and column names come from our own schema. NULL: the message is in db. */
static char *write_copy(sqlite3 *db, const char *schema, const char *table)
{
    sqlite3_stmt *columns;
    if (sqlite3_prepare_v2(db, "SELECT name FROM pragma_table_info(?1, 'main')", -1, &columns, NULL) != SQLITE_OK)
        return NULL;
    sqlite3_bind_text(columns, 1, table, -1, SQLITE_STATIC);
    sqlite3_str *names = sqlite3_str_new(db);
    sqlite3_str *values = sqlite3_str_new(db);
    for (int n = 0; sqlite3_step(columns) == SQLITE_ROW; n++) {
        const char *column = (const char *)sqlite3_column_text(columns, 0);
        sqlite3_str_appendf(names, "%s\"%w\"", n ? ", " : "", column);
        sqlite3_str_appendall(values, n ? ", " : "");
        write_expression(values, table, column);
    }
    sqlite3_finalize(columns);
    char *name_list = sqlite3_str_finish(names);
    char *value_list = sqlite3_str_finish(values);
    char *sql = NULL;
    if (name_list && value_list)
        sql = sqlite3_mprintf("INSERT OR IGNORE INTO main.\"%w\" (%s) SELECT %s FROM %s.\"%w\" t", table, name_list,
                              value_list, schema, table);
    sqlite3_free(name_list);
    sqlite3_free(value_list);
    return sql;
}

static int copy_table(sqlite3 *db, const char *schema, const char *table, const struct shift *shift)
{
    char *sql = write_copy(db, schema, table);
    if (!sql)
        return SQLITE_NOMEM;
    sqlite3_stmt *copy;
    int result = sqlite3_prepare_v2(db, sql, -1, &copy, NULL);
    sqlite3_free(sql);
    if (result != SQLITE_OK)
        return result;
    /* Tables without times or ranks have no such parameters: SQLITE_RANGE is no error here. */
    sqlite3_bind_int64(copy, 1, shift->ns);
    sqlite3_bind_int64(copy, 2, shift->rank);
    sqlite3_step(copy);
    return sqlite3_finalize(copy);
}

/* A view in place of a table would run the file's SQL and not ours, a virtual table a module's code on the file's data.
   SQLite itself checks that type and name in the file's schema are those of the definition; it says no such table of a
   view here. */
static bool is_plain_table(sqlite3 *db, const char *schema, const char *table)
{
    char sql[96];
    int64_t plain = 0;
    snprintf(sql, sizeof sql, "SELECT sql GLOB 'CREATE TABLE *' FROM %s.sqlite_schema WHERE name = ?1", schema);
    return ask(db, sql, table, NULL, &plain) && plain &&
           sqlite3_table_column_metadata(db, schema, table, NULL, NULL, NULL, NULL, NULL, NULL) == SQLITE_OK;
}

static enum cs_status copy_tables(struct merge *merge, const char *schema, const char *path, const struct shift *shift)
{
    sqlite3_stmt *tables;
    if (sqlite3_prepare_v2(merge->db, "SELECT name FROM main.sqlite_schema WHERE type = 'table'", -1, &tables, NULL) !=
        SQLITE_OK)
        return CS_SQL;
    enum cs_status status = CS_OK;
    while (status == CS_OK && sqlite3_step(tables) == SQLITE_ROW) {
        const char *table = (const char *)sqlite3_column_text(tables, 0);
        if (!is_plain_table(merge->db, schema, table)) {
            cs_log("%s is damaged: it has no table %s; left out", path, table);
            status = CS_CORRUPT;
            break;
        }
        int result = copy_table(merge->db, schema, table, shift);
        if (result == SQLITE_OK)
            continue;
        status = status_of(result);
        if (status == CS_SQL && !sqlite3_get_autocommit(merge->db)) {
            cs_log("%s is damaged: table %s: %s; left out", path, table, safe_message(merge->db));
            status = CS_CORRUPT;
        }
    }
    sqlite3_finalize(tables);
    return status;
}

/* Who is in this file, and what must be added to its ranks and times. */
static enum cs_status find_shift(struct merge *merge, const char *schema, const char *path, struct shift *shift)
{
    char sql[128];
    int64_t rank, zero_utc_ns, lowest, taken = 0;
    snprintf(sql, sizeof sql, "SELECT rank FROM %s.process WHERE rank IS NOT NULL ORDER BY rank LIMIT 1", schema);
    if (!is_plain_table(merge->db, schema, "process") || !ask(merge->db, sql, NULL, NULL, &rank)) {
        cs_log("%s is damaged: it does not say whose trace it is; left out", path);
        return CS_CORRUPT;
    }
    *shift = (struct shift){0};
    snprintf(sql, sizeof sql, "SELECT count(*) FROM main.process JOIN %s.process USING (rank)", schema);
    bool known = ask(merge->db, sql, NULL, NULL, &taken);
    /* Process ids stand for ranks that a process never got, and are unique only on one node. */
    if (known && taken && rank < 0 && rank > INT32_MIN &&
        ask(merge->db, "SELECT min(rank) FROM main.process", NULL, NULL, &lowest)) {
        shift->rank = lowest - 1 - rank;
        taken = 0;
    }
    if (!known || taken) {
        cs_log("%s says that it is rank %lld, which another file is already; left out", path, (long long)rank);
        return CS_CORRUPT;
    }
    snprintf(sql, sizeof sql, "SELECT zero_utc_ns FROM %s.process WHERE zero_utc_ns > 0 ORDER BY rank LIMIT 1", schema);
    if (!ask(merge->db, sql, NULL, NULL, &zero_utc_ns))
        return CS_OK; /* not known: its times stay as they are */
    if (!merge->zero_known)
        merge->zero_utc_ns = zero_utc_ns;
    merge->zero_known = true;
    shift->ns = zero_utc_ns - merge->zero_utc_ns; /* both positive: no overflow */
    return CS_OK;
}

static enum cs_status copy_file(struct merge *merge, const char *schema, const char *path)
{
    struct shift shift;
    enum cs_status status = find_shift(merge, schema, path, &shift);
    if (status != CS_OK)
        return status;
    if (run(merge->db, "SAVEPOINT file") != CS_OK)
        return CS_SQL;
    status = copy_tables(merge, schema, path, &shift);
    if (status == CS_CORRUPT && run(merge->db, "ROLLBACK TO file") != CS_OK)
        return CS_SQL;
    if ((status == CS_OK || status == CS_CORRUPT) && run(merge->db, "RELEASE file") != CS_OK)
        return CS_SQL;
    return status;
}

/* ---- batches ---- */

char *cs_merge_address(const char *path)
{
    sqlite3_str *address = sqlite3_str_new(NULL);
    sqlite3_str_appendall(address, "file:");
    for (const char *c = path; *c; c++)
        if (strchr("%?#", *c))
            sqlite3_str_appendf(address, "%%%02x", (unsigned char)*c);
        else
            sqlite3_str_appendchar(address, 1, *c);
    /* Traces appear complete, by a rename, and need no locks: some shared file systems have none. Somebody may have
       begun to change one by hand since: then there is a journal beside it. */
    char *journal = sqlite3_mprintf("%s-journal", path);
    char *wal = sqlite3_mprintf("%s-wal", path);
    bool changing = journal && wal && (access(journal, F_OK) == 0 || access(wal, F_OK) == 0);
    sqlite3_free(journal);
    sqlite3_free(wal);
    sqlite3_str_appendall(address, changing ? "?mode=ro" : "?mode=ro&immutable=1");
    return sqlite3_str_finish(address);
}

static bool attach(sqlite3 *db, const char *path, size_t slot)
{
    char sql[32];
    snprintf(sql, sizeof sql, "ATTACH ?1 AS r%zu", slot);
    char *address = cs_merge_address(path);
    sqlite3_stmt *statement = NULL;
    bool attached = address && sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
                    sqlite3_bind_text(statement, 1, address, -1, SQLITE_STATIC) == SQLITE_OK &&
                    sqlite3_step(statement) == SQLITE_DONE;
    if (!attached)
        cs_log("%s cannot be read: %s; left out", path, safe_message(db));
    sqlite3_finalize(statement);
    sqlite3_free(address);
    return attached;
}

static void detach(sqlite3 *db, size_t slot)
{
    char sql[32];
    snprintf(sql, sizeof sql, "DETACH r%zu", slot);
    run(db, sql);
}

static enum cs_status copy_attached(struct merge *merge, const char *path, size_t slot)
{
    char schema[16];
    snprintf(schema, sizeof schema, "r%zu", slot);
    enum cs_status status = cs_merge_check(merge->db, schema, path);
    if (status == CS_OK)
        status = copy_file(merge, schema, path);
    return status;
}

static bool is_fatal(enum cs_status status)
{
    return status == CS_NO_SPACE || status == CS_NO_MEMORY || status == CS_SQL;
}

static void log_failure(sqlite3 *db, enum cs_status status)
{
    const char *place = getenv("TMPDIR");
    if (status == CS_NO_SPACE)
        cs_log("no room to put the ranks together in %s: set TMPDIR to a folder with more", place ? place : "/var/tmp");
    else if (status != CS_NO_MEMORY) /* told by whoever opens the run */
        cs_log("cannot put the ranks together: %s", safe_message(db));
}

static enum cs_status merge_batch(struct merge *merge, const char *const *path, size_t count)
{
    bool attached[BATCH];
    for (size_t i = 0; i < count; i++)
        attached[i] = attach(merge->db, path[i], i);
    enum cs_status status = run(merge->db, "BEGIN");
    for (size_t i = 0; i < count && status == CS_OK; i++) {
        enum cs_status copied = attached[i] ? copy_attached(merge, path[i], i) : CS_CORRUPT;
        if (is_fatal(copied))
            status = copied;
        else if (copied != CS_OK)
            merge->left_out++;
        merge->done++;
        if (merge->job->progress)
            merge->job->progress(merge->job->progress_context, merge->done, merge->job->count);
    }
    if (status == CS_OK)
        status = run(merge->db, "COMMIT");
    if (status != CS_OK) {
        log_failure(merge->db, status);
        run(merge->db, "ROLLBACK");
    }
    for (size_t i = 0; i < count; i++)
        if (attached[i])
            detach(merge->db, i);
    return status;
}

enum cs_status cs_merge_traces(sqlite3 *db, const struct cs_merge_job *job, size_t *left_out)
{
    struct merge merge = {.db = db, .job = job};
    enum cs_status status = CS_OK;
    for (size_t begin = 0; begin < job->count && status == CS_OK; begin += BATCH) {
        size_t count = job->count - begin < BATCH ? job->count - begin : BATCH;
        status = merge_batch(&merge, job->path + begin, count);
    }
    *left_out = merge.left_out;
    return status;
}
