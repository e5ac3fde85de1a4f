#include "db/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "db/journal_read.h"
#include "db/long_path.h"
#include "db/owner.h"
#include "db/run_files.h"
#include "db/schema.h"
#include "db/seal.h"

/* A journal written on another machine: its writer is taken to be alive if the file changed so recently. */
#define QUIET_SECONDS 600

/* Damage inside a trace that is read where it is would show in the middle of an answer; looking at all of it first
   costs a second for so many bytes. */
#define CHECKED_BYTES (256ll << 20)

struct cs_run {
    sqlite3 *db;
    char *temporary; /* folder of traces that could not be made beside their journals; NULL: none */
    char **trace;    /* NULL: left out */
    size_t traces;
    bool foreign; /* journals of another user were met: said once */
    struct cs_run_info info;
};

/* ---- journals ---- */

static enum cs_status make_temporary(struct cs_run *run)
{
    if (run->temporary)
        return CS_OK;
    const char *place = getenv("TMPDIR");
    if (!place || !*place)
        place = "/tmp";
    if (asprintf(&run->temporary, "%s/callsign-XXXXXX", place) < 0) {
        run->temporary = NULL;
        return CS_NO_MEMORY;
    }
    if (mkdtemp(run->temporary))
        return CS_OK;
    cs_log("cannot make a temporary folder in %s: %s; TMPDIR names another place", place, strerror(errno));
    free(run->temporary);
    run->temporary = NULL;
    return CS_IO;
}

static enum cs_status seal_aside(struct cs_run *run, const char *journal, size_t number, char **trace)
{
    enum cs_status status = make_temporary(run);
    if (status != CS_OK)
        return status;
    char *path;
    if (asprintf(&path, "%s/%zu.db", run->temporary, number) < 0)
        return CS_NO_MEMORY;
    status = cs_seal(journal, path, &(struct cs_seal_options){.alive_ok = true, .keep_journal = true, .aside = true});
    if (status == CS_OK)
        *trace = path;
    else
        free(path);
    return status;
}

/* CS_OK: nobody writes it any more, and its trace may take its place; CS_BUSY; CS_DENIED: it belongs to another user;
   or why it cannot be read (logged). */
static enum cs_status look_at_writer(const char *journal)
{
    struct cs_journal_reader *reader;
    enum cs_status status = cs_journal_read_open(journal, &reader);
    if (status != CS_OK)
        return status;
    enum cs_writer writer = cs_journal_read_writer(reader);
    if (writer == CS_WRITER_HERE || (writer == CS_WRITER_ELSEWHERE && cs_journal_read_age(reader) < QUIET_SECONDS))
        status = CS_BUSY;
    else if (!cs_owner_may(cs_journal_read_file(reader)))
        status = CS_DENIED;
    cs_journal_read_close(reader);
    return status;
}

static enum cs_status seal_foreign(struct cs_run *run, const char *journal, size_t number, char **trace)
{
    if (!run->foreign)
        cs_log("%s belongs to another user: it is read through a copy, and stays as it is until that user (or root) "
               "seals it",
               journal);
    run->foreign = true;
    return seal_aside(run, journal, number, trace);
}

/* Its process may have sealed it since the folder was listed: takes that trace. */
static bool was_sealed(const char *journal, char **trace)
{
    if (access(journal, F_OK) == 0)
        return false;
    *trace = cs_run_files_trace_path(journal);
    if (*trace && access(*trace, F_OK) == 0)
        return true;
    free(*trace);
    *trace = NULL;
    return false;
}

static enum cs_status seal_journal(struct cs_run *run, const struct cs_run_file *file, size_t number, char **trace)
{
    const char *journal = file->path;
    if (!file->blocked && was_sealed(journal, trace))
        return CS_OK;
    enum cs_status status = look_at_writer(journal);
    if (status == CS_BUSY) {
        run->info.alive++;
        return seal_aside(run, journal, number, trace);
    }
    if (status == CS_DENIED)
        return seal_foreign(run, journal, number, trace);
    if (status != CS_OK)
        return status;
    run->info.journals++;
    if (file->blocked || !cs_run_folder_is_writable(journal))
        return seal_aside(run, journal, number, trace);
    char *path = cs_run_files_trace_path(journal);
    if (!path)
        return CS_NO_MEMORY;
    status = cs_seal(journal, path, &(struct cs_seal_options){.alive_ok = false});
    if (status == CS_OK) {
        *trace = path;
        return CS_OK;
    }
    free(path);
    return status == CS_NO_SPACE || status == CS_IO ? seal_aside(run, journal, number, trace) : status;
}

/* Every file as a trace; what cannot be sealed is left out. */
static enum cs_status collect_traces(struct cs_run *run, struct cs_run_files *files,
                                     const struct cs_run_options *options)
{
    run->trace = calloc(files->count, sizeof *run->trace);
    if (!run->trace)
        return CS_NO_MEMORY;
    run->info.files = files->count + files->left_out;
    run->info.left_out = files->left_out;
    for (size_t i = 0; i < files->count; i++) {
        char *trace = NULL;
        if (files->file[i].kind == CS_RUN_TRACE) {
            trace = files->file[i].path;
            files->file[i].path = NULL;
        } else if (seal_journal(run, &files->file[i], i, &trace) != CS_OK) {
            run->info.left_out++;
            continue;
        }
        run->trace[run->traces++] = trace;
        if (options && options->look_over)
            options->look_over(options->look_over_context, trace);
    }
    return CS_OK;
}

static void remove_temporary(struct cs_run *run)
{
    if (!run->temporary)
        return;
    size_t length = strlen(run->temporary);
    for (size_t i = 0; i < run->traces; i++)
        if (strncmp(run->trace[i], run->temporary, length) == 0)
            unlink(run->trace[i]);
    rmdir(run->temporary);
    free(run->temporary);
    run->temporary = NULL;
}

/* ---- the database ---- */

/* Everything that a hostile file could make SQLite do beyond returning rows is off. */
static void harden(sqlite3 *db)
{
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
    sqlite3_exec(db, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;", NULL, NULL, NULL);
}

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
        /* The header fields can be asked for, not set: setting has a second argument. */
        for (size_t i = 0; i < sizeof pragmas / sizeof *pragmas; i++)
            if (sqlite3_stricmp(first, pragmas[i]) == 0 && (!second || i < 7))
                return SQLITE_OK;
        return SQLITE_DENY;
    default:
        return SQLITE_DENY;
    }
}

/* The first use of these makes a table inside, which only_read would refuse. An SQLite without JSON has none. */
static void begin_json(sqlite3 *db)
{
    sqlite3_exec(db, "SELECT count(*) FROM json_each('[]'), json_tree('[]')", NULL, NULL, NULL);
}

static enum cs_status open_database(const char *address, int flags, sqlite3 **db)
{
    int result = sqlite3_open_v2(address, db, flags | SQLITE_OPEN_URI, cs_long_path_vfs(NULL));
    if (result == SQLITE_OK) {
        harden(*db);
        return CS_OK;
    }
    sqlite3_close(*db);
    *db = NULL;
    return result == SQLITE_NOMEM ? CS_NO_MEMORY : CS_SQL;
}

/* Whether the definitions in the open file are, word for word, those of our schema. */
static bool has_our_schema(sqlite3 *db)
{
    sqlite3 *ours;
    if (open_database(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &ours) != CS_OK)
        return false;
    static const char list[] = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name, type";
    sqlite3_stmt *here = NULL, *there = NULL;
    bool same = cs_merge_prepare(ours) == CS_OK && sqlite3_prepare_v2(ours, list, -1, &here, NULL) == SQLITE_OK &&
                sqlite3_prepare_v2(db, list, -1, &there, NULL) == SQLITE_OK;
    int row = SQLITE_ROW;
    while (same && row == SQLITE_ROW) {
        row = sqlite3_step(here);
        same = row == sqlite3_step(there);
        for (int i = 0; same && row == SQLITE_ROW && i < 4; i++) {
            const char *a = (const char *)sqlite3_column_text(here, i);
            const char *b = (const char *)sqlite3_column_text(there, i);
            same = a && b ? strcmp(a, b) == 0 : a == b;
        }
    }
    sqlite3_finalize(here);
    sqlite3_finalize(there);
    sqlite3_close(ours);
    return same && row == SQLITE_DONE;
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

/* Reads a single trace where it is. CS_OK with run->db NULL: it must be copied, its schema is not word for word ours.
 */
static enum cs_status open_in_place(struct cs_run *run, const char *path)
{
    char *address = cs_merge_address(path);
    if (!address)
        return CS_NO_MEMORY;
    sqlite3 *db;
    enum cs_status status = open_database(address, SQLITE_OPEN_READONLY, &db);
    sqlite3_free(address);
    if (status != CS_OK) {
        cs_log("%s cannot be opened as a database", path);
        return status;
    }
    status = cs_merge_check(db, "main", path);
    if (status == CS_OK && !has_our_schema(db)) {
        sqlite3_close(db);
        return CS_OK;
    }
    if (status == CS_OK && !is_sound(db, path)) {
        cs_log("%s is damaged: the database fails SQLite's own check", path);
        status = CS_CORRUPT;
    }
    if (status == CS_OK)
        run->db = db;
    else
        sqlite3_close(db);
    return status;
}

static enum cs_status merge(struct cs_run *run, const struct cs_run_options *options)
{
    /* "" is a database that lives in memory while it fits into the cache, then in a file that is deleted already. */
    enum cs_status status = open_database("", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &run->db);
    if (status == CS_OK)
        status = cs_merge_prepare(run->db);
    if (status != CS_OK)
        return status;
    struct cs_merge_job job = {.path = (const char *const *)run->trace, .count = run->traces};
    if (options) {
        job.progress = options->progress;
        job.progress_context = options->progress_context;
    }
    size_t left_out = 0;
    status = cs_merge_traces(run->db, &job, &left_out);
    run->info.left_out += left_out;
    return status;
}

static enum cs_status open_traces(struct cs_run *run, const char *path, const struct cs_run_options *options)
{
    enum cs_status status = CS_OK;
    if (run->traces == 1)
        status = open_in_place(run, run->trace[0]);
    if (status == CS_OK && !run->db && run->traces > 0)
        status = merge(run, options);
    if (status == CS_OK && run->info.left_out == run->info.files) {
        if (run->info.files > 1)
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
    status = run ? collect_traces(run, &files, options) : CS_NO_MEMORY;
    cs_run_files_free(&files);
    if (status == CS_OK)
        status = open_traces(run, path, options);
    if (status == CS_NO_MEMORY)
        cs_log("out of memory while opening %s", path);
    if (run)
        remove_temporary(run); /* an open file stays readable, and nothing is left when we are killed */
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
    remove_temporary(run);
    for (size_t i = 0; i < run->traces; i++)
        free(run->trace[i]);
    free(run->trace);
    free(run);
}

sqlite3 *cs_run_database(struct cs_run *run)
{
    return run->db;
}

const struct cs_run_info *cs_run_info(const struct cs_run *run)
{
    return &run->info;
}
