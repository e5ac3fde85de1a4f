#include "db/run/open_run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"
#include "db/run/files.h"
#include "db/run/job.h"
#include "db/run/merge_ranks.h"
#include "db/run/traces.h"
#include "db/trace/schema.h"

/* Damage in a trace that is read in place would appear in the middle of a result. Checking this many bytes first
   costs a second. */
#define CHECKED_BYTES (256ll << 20)

struct cs_run {
    sqlite3 *db;
    struct cs_run_traces traces;
};

static int only_read(void *context, int action, const char *first, const char *second, const char *schema,
                     const char *view)
{
    static const char *const pragmas[] = {"table_info",   "table_xinfo",  "table_list",    "index_list",
                                          "index_info",   "index_xinfo",  "function_list", "application_id",
                                          "user_version", "database_list"};
    (void)context;
    (void)schema;
    (void)view;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_FUNCTION:
    case SQLITE_RECURSIVE:
        return SQLITE_OK;
    case SQLITE_PRAGMA:
        /* The header fields may be read, not set: setting has a second argument. */
        for (size_t i = 0; i < sizeof pragmas / sizeof *pragmas; i++)
            if (sqlite3_stricmp(first, pragmas[i]) == 0 && (!second || i < 7))
                return SQLITE_OK;
        return SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

/* The first use of JSON creates an internal table, which only_read would refuse. An SQLite without JSON has none. */
static void begin_json(sqlite3 *db)
{
    sqlite3_exec(db, "SELECT count(*) FROM json_each('[]'), json_tree('[]')", NULL, NULL, NULL);
}

/* The schema of an open file. */
enum schema {
    SCHEMA_OTHER,
    SCHEMA_OF_RANK, /* our tables */
    SCHEMA_OF_RUN   /* our tables and views, with comments */
};

static bool is_definition(sqlite3_stmt *row, const char *type, const char *name, const char *sql)
{
    const char *expected[] = {type, name, name, sql};
    for (int i = 0; i < 4; i++) {
        const char *found = (const char *)sqlite3_column_text(row, i);
        if (!found || strcmp(found, expected[i]) != 0)
            return false;
    }
    return true;
}

static bool has_definition(sqlite3_stmt *list, size_t number, enum schema kind)
{
    if (number >= cs_tables_count) {
        const struct cs_view *view = &cs_views[number - cs_tables_count];
        return is_definition(list, "view", view->name, view->sql);
    }
    const struct cs_table_definition *table = &cs_tables[number];
    return is_definition(list, "table", table->name, kind == SCHEMA_OF_RANK ? table->bare : table->sql);
}

/* True if the file's definitions equal those of our schema, word for word and in order. */
static bool has_schema(sqlite3 *db, enum schema kind)
{
    sqlite3_stmt *list;
    if (sqlite3_prepare_v2(db, "SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY rowid", -1, &list,
                           NULL) != SQLITE_OK)
        return false;
    size_t count = cs_tables_count + (kind == SCHEMA_OF_RUN ? cs_views_count : 0);
    bool same = true;
    for (size_t i = 0; same && i < count; i++)
        same = sqlite3_step(list) == SQLITE_ROW && has_definition(list, i, kind);
    same = same && sqlite3_step(list) == SQLITE_DONE;
    sqlite3_finalize(list);
    return same;
}

static enum schema schema_of(sqlite3 *db)
{
    if (has_schema(db, SCHEMA_OF_RANK))
        return SCHEMA_OF_RANK;
    return has_schema(db, SCHEMA_OF_RUN) ? SCHEMA_OF_RUN : SCHEMA_OTHER;
}

static bool is_sound(sqlite3 *db, const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || about.st_size > CHECKED_BYTES)
        return true;
    sqlite3_stmt *check;
    if (sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &check, NULL) != SQLITE_OK)
        return false;
    bool sound = sqlite3_step(check) == SQLITE_ROW && strcmp((const char *)sqlite3_column_text(check, 0), "ok") == 0;
    return sqlite3_finalize(check) == SQLITE_OK && sound;
}

/* Opens a single trace in place. CS_OK with run->db NULL: its schema differs, so it must be copied. */
static enum cs_status open_in_place(struct cs_run *run, const char *path)
{
    char *address = cs_merge_address(path);
    if (!address)
        return CS_NO_MEMORY;
    sqlite3 *db;
    enum cs_status status = cs_untrusted_open(address, SQLITE_OPEN_READONLY, NULL, &db);
    sqlite3_free(address);
    if (status != CS_OK) {
        cs_log("%s cannot be opened as a database", path);
        return status;
    }
    status = cs_merge_check(db, "main", path);
    enum schema schema = status == CS_OK ? schema_of(db) : SCHEMA_OTHER;
    if (status == CS_OK && schema == SCHEMA_OTHER) {
        sqlite3_close(db);
        return CS_OK;
    }
    if (status == CS_OK && !is_sound(db, path)) {
        cs_log("%s is damaged: the database fails SQLite's own check", path);
        status = CS_CORRUPT;
    }
    if (status == CS_OK && schema == SCHEMA_OF_RANK && cs_schema_add_views(db, true) != SQLITE_OK)
        status = CS_SQL;
    if (status == CS_OK)
        run->db = db;
    else
        sqlite3_close(db);
    return status;
}

static enum cs_status merge(struct cs_run *run, const struct cs_run_options *options)
{
    /* "" is a database in memory, or if it grows, in a file that is already deleted. */
    char *address = options && options->database ? cs_merge_address_of(options->database, "mode=rw&nolock=1") : NULL;
    enum cs_status status =
        cs_untrusted_open(address ? address : "", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL, &run->db);
    sqlite3_free(address);
    if (status == CS_OK)
        status = cs_merge_prepare(run->db);
    if (status != CS_OK)
        return status;
    struct cs_merge_job job = {.path = (const char *const *)run->traces.path, .count = run->traces.count};
    if (options) {
        job.progress = options->progress;
        job.progress_context = options->progress_context;
        job.database = options->database;
    }
    size_t left_out = 0;
    status = cs_merge_traces(run->db, &job, &left_out);
    run->traces.info.left_out += left_out;
    return status;
}

static enum cs_status open_traces(struct cs_run *run, const char *path, const struct cs_run_options *options)
{
    const struct cs_run_info *info = &run->traces.info;
    struct cs_job job;
    bool has_job = !info->single && cs_job_read(path, &job);
    bool alone = run->traces.count == 1 && !has_job && !(options && options->database);
    enum cs_status status = CS_OK;
    if (alone)
        status = open_in_place(run, run->traces.path[0]);
    if (status == CS_OK && !run->db && run->traces.count > 0)
        status = merge(run, options);
    if (status == CS_OK && has_job && run->db && !cs_job_insert(run->db, &job))
        status = CS_SQL;
    if (status == CS_OK && info->left_out == info->files) {
        if (info->files > 1)
            cs_log("nothing in %s can be read", path);
        status = CS_CORRUPT;
    }
    return status;
}

enum cs_status cs_run_open(const char *path, const struct cs_run_options *options, struct cs_run **result)
{
    struct cs_run_files files;
    enum cs_status status = cs_run_files_list(path, &files);
    if (status != CS_OK)
        return status;
    struct cs_run *run = calloc(1, sizeof *run);
    status = run ? cs_run_traces_collect(&files, options, &run->traces) : CS_NO_MEMORY;
    cs_run_files_free(&files);
    if (status == CS_OK)
        status = open_traces(run, path, options);
    if (status == CS_NO_MEMORY)
        cs_log("out of memory while opening %s", path);
    if (run)
        cs_run_traces_unlink(&run->traces); /* now no file is left if we are killed */
    if (status != CS_OK) {
        cs_run_close(run);
        return status;
    }
    begin_json(run->db);
    sqlite3_set_authorizer(run->db, only_read, NULL);
    *result = run;
    return CS_OK;
}

void cs_run_close(struct cs_run *run)
{
    if (!run)
        return;
    sqlite3_close(run->db);
    cs_run_traces_free(&run->traces);
    free(run);
}

sqlite3 *cs_run_database(struct cs_run *run)
{
    return run->db;
}

const struct cs_run_info *cs_run_info(const struct cs_run *run)
{
    return &run->traces.info;
}
