#include "db/run/open_run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_system.h"
#include "base/log.h"
#include "db/replay/forecasts.h"
#include "db/replay/late_ranks.h"
#include "db/run/files.h"
#include "db/run/job.h"
#include "db/run/late_file.h"
#include "db/run/merge_ranks.h"
#include "db/run/merged_file.h"
#include "db/run/rank_profile.h"
#include "db/run/traces.h"
#include "db/summary/rank_times.h"
#include "db/trace/schema.h"
#include "db/trace/untrusted.h"

/* Damage in a trace that is read in place would appear in the middle of a result, or make it endless. Checking this
   many bytes first costs a second; larger traces of our own are not checked. */
#define CHECKED_BYTES (256ll << 20)

struct cs_run {
    sqlite3 *db;
    bool kept;            /* it is a merged file: materialized views are there or can be */
    char *merged_file;    /* that is read; NULL: none */
    char *late;           /* calls after MPI_Finalize (cs_late_file_read); NULL: none */
    int folder;           /* the file or folder that was opened */
    struct cs_owner self; /* the identity of the caller */
    struct cs_run_traces traces;
};

/* Set if SQLite has found damage in a database. */
static atomic_bool damage_found;

static void note_damage(void *context, int code, const char *message)
{
    (void)context;
    (void)message;
    if (((code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB) && !cs_rank_profile_is_reading())
        atomic_store_explicit(&damage_found, true, memory_order_relaxed);
}

void cs_run_set_up(void)
{
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* threads that read ranks would wait for each other to count memory */
    sqlite3_config(SQLITE_CONFIG_LOG, note_damage, NULL);
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

static bool is_small_or_of_others(const char *path)
{
    struct stat about;
    return stat(path, &about) != 0 || about.st_size <= CHECKED_BYTES || about.st_uid != getuid();
}

static bool is_sound(sqlite3 *db)
{
    sqlite3_stmt *check;
    if (sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &check, NULL) != SQLITE_OK)
        return false;
    bool sound = sqlite3_step(check) == SQLITE_ROW && strcmp((const char *)sqlite3_column_text(check, 0), "ok") == 0;
    return sqlite3_finalize(check) == SQLITE_OK && sound;
}

/* Prepares a connection for our views. Preparing their long statements needs many small pieces of memory: from here
   they come a fifth faster. */
static enum cs_status prepare(sqlite3 *db, const struct cs_run_options *options)
{
    const struct cs_event_finder *forecasts = options && options->forecasts ? options->forecasts : &cs_forecasts;
    enum { PIECE_BYTES = 512, PIECES = 2048 };
    sqlite3_db_config(db, SQLITE_DBCONFIG_LOOKASIDE, NULL, PIECE_BYTES, PIECES);
    return cs_merge_status(db, cs_event_tables_add(db, &cs_gains, forecasts));
}

/* True if views get other rows than those of the whole run. */
static bool is_reduced(const struct cs_run_options *options)
{
    return options && (options->through || options->region || options->forecasts);
}

/* True if the views of the connection read the tables of materialized ones. */
static bool reads_materialized(sqlite3 *db, const struct cs_run_options *options)
{
    return !is_reduced(options) && cs_schema_materialized(db);
}

/* Opens a single trace in place. CS_OK with run->db NULL: its schema differs, or a text is too long, so it must be
   copied. */
static enum cs_status open_in_place(struct cs_run *run, const char *path, const struct cs_run_options *options)
{
    sqlite3 *db;
    char message[CS_UNTRUSTED_MESSAGE_BYTES];
    enum cs_status status = cs_trace_open(path, &db, message);
    if (status != CS_OK) {
        if (status != CS_NO_MEMORY)
            cs_log("%s", message);
        return status;
    }
    status = prepare(db, options);
    bool of_rank = cs_schema_is_of_rank(db), checked = is_small_or_of_others(path);
    bool in_place = of_rank || cs_schema_is_of_run(db);
    if (status == CS_OK && in_place && checked && !is_sound(db)) {
        cs_log("%s is damaged: the database fails SQLite's own check", path);
        status = CS_CORRUPT;
    }
    if (status == CS_OK && (!in_place || (checked && !cs_trace_is_short(db)))) {
        sqlite3_close(db);
        return CS_OK;
    }
    cs_trace_trust(db);
    bool summed = !of_rank && cs_schema_has_rows(db, "main.summary"); /* a merged file may be anybody's */
    if (status == CS_OK && !summed &&
        (cs_schema_add_views(db, true) != SQLITE_OK || cs_rank_times_fill_apart(db, false) != SQLITE_OK))
        status = CS_SQL;
    if (status == CS_OK && summed && reads_materialized(db, options) && cs_schema_add_materialized(db) != SQLITE_OK)
        status = CS_SQL;
    if (status == CS_OK && !of_rank && cs_rank_profile_is_left(db))
        cs_log("%s has no profile: its rows are in the files of ranks, which are read with the folder of the run",
               path);
    if (status == CS_OK)
        run->db = db;
    else
        sqlite3_close(db);
    return status;
}

/* ---- merging ---- */

/* Lines that were logged about files that are left out. A second attempt does not repeat them. */
struct lines {
    char *text; /* each with a newline; NULL: none */
    size_t length;
    bool failed;  /* no memory */
    char *reason; /* why the last file is left out: its line without its path; NULL: none */
    size_t alike; /* files in a row with this reason */
};

enum { ALIKE_NAMED = 3 }; /* files that are left out for one reason, and named; others are counted */

static void add_line(struct lines *lines, const char *line)
{
    size_t length = strlen(line);
    if (lines->text && strstr(lines->text, line))
        return;
    cs_log("%s", line);
    char *text = realloc(lines->text, lines->length + length + 2);
    lines->failed = lines->failed || !text;
    if (!text)
        return;
    memcpy(text + lines->length, line, length);
    memcpy(text + lines->length + length, "\n", 2);
    lines->text = text;
    lines->length += length + 1;
}

/* Says how many files have the last reason beyond those that are named. */
static void end_reason(struct lines *lines)
{
    char line[64];
    size_t more = lines->alike > ALIKE_NAMED ? lines->alike - ALIKE_NAMED : 0;
    snprintf(line, sizeof line, "and %zu more file%s for the same reason", more, more == 1 ? "" : "s");
    if (more)
        add_line(lines, line);
    free(lines->reason);
    lines->reason = NULL;
    lines->alike = 0;
}

static void add_left_out(void *context, const char *path, const char *line)
{
    struct lines *lines = context;
    size_t length = strlen(path);
    const char *reason = strncmp(line, path, length) == 0 ? line + length : line;
    if (lines->reason && strcmp(lines->reason, reason) != 0)
        end_reason(lines);
    if (!lines->reason)
        lines->reason = strdup(reason); /* NULL: the files are named one by one */
    lines->alike += lines->reason != NULL;
    if (lines->alike <= ALIKE_NAMED)
        add_line(lines, line);
}

/* Copies all traces into the database at path, an empty file that messages call `shown`; NULL: a temporary database.
   kept: it stays beside the files of ranks. */
static enum cs_status merge(struct cs_run *run, const struct cs_run_options *options, const char *path,
                            const char *shown, bool kept, struct lines *lines, size_t *left_out)
{
    /* "" is a database in memory, or if it grows, in a file that is already deleted. */
    char *address = path ? cs_merge_address_of(path, "mode=rw&nolock=1") : NULL;
    const struct cs_owner reader = cs_owner_current();
    if (!kept)
        cs_owner_end(&run->self); /* the caller made the database */
    enum cs_status status = cs_untrusted_open(
        address ? address : "", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL, &run->db);
    if (!kept && !cs_owner_begin(&(struct stat){.st_uid = reader.user, .st_gid = reader.group}, &run->self))
        status = CS_DENIED;
    sqlite3_free(address);
    if (status == CS_OK)
        status = prepare(run->db, options);
    if (status == CS_OK)
        status = cs_merge_prepare(run->db);
    if (status != CS_OK)
        return status;
    char **ordered = cs_run_traces_order(&run->traces);
    if (!ordered)
        return CS_NO_MEMORY;
    struct cs_merge_job job = {.path = (const char *const *)ordered,
                               .count = run->traces.count,
                               .database = shown,
                               .on_left_out = add_left_out,
                               .leave_profile = kept && cs_run_traces_count_ranks(&run->traces, CS_PROFILE_RANKS_MOST) >
                                                            CS_PROFILE_RANKS_MOST,
                               .left_out_context = lines};
    if (options) {
        job.progress = options->progress;
        job.progress_context = options->progress_context;
        job.parallel = options->parallel;
        job.processes = options->processes;
    }
    status = cs_merge_traces(run->db, &job, left_out);
    end_reason(lines);
    free(ordered);
    return status;
}

static void close_database(struct cs_run *run)
{
    sqlite3_close(run->db);
    run->db = NULL;
}

/* What files of the folder say beside the traces. */
static enum cs_status add_folder(struct cs_run *run, const struct cs_job *job)
{
    bool added = (!job || cs_job_insert(run->db, job)) && (!run->late || cs_late_file_insert(run->db, run->late));
    return added ? CS_OK : CS_SQL;
}

/* ---- the merged file ---- */

/* Merges into a draft and closes it. */
static enum cs_status fill_draft(struct cs_run *run, const struct cs_run_options *options, const struct cs_job *job,
                                 const struct cs_merged_file *merged, const struct cs_merged_draft *draft,
                                 struct lines *lines)
{
    size_t left_out = 0;
    enum cs_status status = merge(run, options, draft->temporary, draft->path, true, lines, &left_out);
    if (status == CS_OK)
        status = add_folder(run, job);
    if (status == CS_OK)
        cs_merged_draft_inherit(run->db, draft);
    if (status == CS_OK)
        status = lines->failed ? CS_NO_MEMORY : cs_merged_draft_sign(run->db, merged, left_out, lines->text);
    close_database(run);
    if (status == CS_OK && options && options->look_over_merged)
        options->look_over_merged(options->look_over_context, draft->temporary);
    if (status == CS_OK)
        run->traces.info.left_out += left_out;
    return status;
}

/* Opens a draft that is whole, whether it gets its place or not. */
static enum cs_status open_draft(const struct cs_merged_draft *draft, const struct cs_run_options *options,
                                 sqlite3 **db)
{
    const char *path = *draft->temporary ? draft->temporary : draft->path;
    char *address = cs_merge_address(path);
    if (!address)
        return CS_NO_MEMORY;
    enum cs_status status = cs_untrusted_open(address, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL, db);
    sqlite3_free(address);
    if (status != CS_OK)
        return status;
    status = prepare(*db, options);
    /* The file is opened before it may be removed. */
    if (status == CS_OK && sqlite3_exec(*db, "SELECT 1 FROM main.process", NULL, NULL, NULL) != SQLITE_OK)
        status = CS_SQL;
    if (status != CS_OK) {
        sqlite3_close(*db);
        *db = NULL;
    }
    return status;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* Where the database of the run is; CS_MERGED_PLACES: in no place of a merged file. */
static int place_of(const struct cs_run *run, const struct cs_merged_file *merged)
{
    const char *path = sqlite3_db_filename(run->db, "main");
    int place = 0;
    while (place < CS_MERGED_PLACES && (!path || !is_same_file(path, merged->path[place])))
        place++;
    return place;
}

static bool may_keep(const struct cs_run *run, const struct cs_run_options *options)
{
    const struct cs_run_info *info = &run->traces.info;
    return !info->single && !run->traces.temporary && !info->alive && !info->unknown &&
           !(options && options->database) &&
           (cs_run_traces_count_ranks(&run->traces, CS_RUN_KEPT_ABOVE) > CS_RUN_KEPT_ABOVE ||
            cs_run_traces_count_bytes(&run->traces) > CS_RUN_KEPT_ABOVE_BYTES);
}

/* Makes a merged file at a place and opens it. run->db stays NULL if it cannot be made there. */
static enum cs_status make_kept(struct cs_run *run, const char *path, const struct cs_run_options *options,
                                const struct cs_job *job, const struct cs_merged_file *merged, int place,
                                struct lines *lines)
{
    struct cs_merged_draft draft;
    struct cs_merged_file now;
    struct cs_run_traces *traces = &run->traces;
    if (!cs_merged_draft_begin(&draft, merged, place))
        return CS_OK;
    enum cs_status status = fill_draft(run, options, job, merged, &draft, lines);
    bool same = status == CS_OK && cs_merged_file_find(&now, path, traces->path, traces->count) &&
                strcmp(now.files, merged->files) == 0; /* no file has changed meanwhile */
    if (same)
        cs_merged_draft_publish(&draft, merged);
    if (status == CS_OK)
        status = open_draft(&draft, options, &run->db);
    else if (status != CS_NO_MEMORY) /* logged */
        status = CS_OK;
    cs_merged_draft_end(&draft);
    return status;
}

/* The overview reads several tables that are computed from events. */
static int share_events(sqlite3 *db)
{
    return cs_schema_has_rows(db, "main.event") ? cs_event_tables_share(db) : SQLITE_OK;
}

/* Computes views for this connection. If it fails, they are as before. */
static void share(sqlite3 *db, enum cs_materialized which)
{
    if (!(which & CS_MATERIALIZED_OVERVIEW) || share_events(db) == SQLITE_OK)
        cs_schema_share_materialized(db, which);
}

/* Computes the materialized views of a merged file. */
static bool fill_materialized(const char *path, const struct cs_run_options *options)
{
    char *address = cs_merge_address_of(path, "mode=rw&nolock=1");
    sqlite3 *db = NULL;
    bool done = address &&
                cs_untrusted_open(address, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL, &db) == CS_OK &&
                prepare(db, options) == CS_OK;
    /* A journal in a file would stay if we were killed. */
    enum cs_materialized kept = done ? cs_schema_materialized(db) : CS_MATERIALIZED_NONE,
                         wanted = options->materialize & ~kept;
    size_t end = cs_schema_count_materialized();
    done = done &&
           sqlite3_exec(db, "PRAGMA cache_size = -65536; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF", NULL,
                        NULL, NULL) == SQLITE_OK &&
           cs_schema_begin_materializing(db) == SQLITE_OK && sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) == SQLITE_OK;
    done = done && (!(wanted & CS_MATERIALIZED_OVERVIEW) || share_events(db) == SQLITE_OK);
    size_t views = 0, filled = 0;
    for (size_t i = 0; i < end; i++)
        views += (cs_schema_group_of(i) & wanted) != 0;
    for (size_t i = 0; done && i < end; i++) {
        if (!(cs_schema_group_of(i) & wanted))
            continue;
        done = cs_schema_materialize(db, i, kept) == SQLITE_OK;
        if (options->progress)
            options->progress(options->progress_context, ++filled, views);
    }
    done = done && sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
    sqlite3_close(db);
    sqlite3_free(address);
    return done;
}

/* Replaces the merged file by one with materialized views. If that fails, as on a full disk, the views are computed in
   the connection: nothing is missing. */
static void materialize(struct cs_run *run, const struct cs_run_options *options, const struct cs_merged_file *merged)
{
    struct cs_merged_draft draft;
    int place = place_of(run, merged);
    if (place == CS_MERGED_PLACES || !cs_merged_draft_begin(&draft, merged, place))
        return;
    sqlite3 *db;
    if (cs_merged_draft_copy(&draft) && fill_materialized(draft.temporary, options) &&
        cs_merged_draft_publish(&draft, merged) && open_draft(&draft, options, &db) == CS_OK) {
        close_database(run);
        run->db = db;
    }
    cs_merged_draft_end(&draft);
}

/* Opens the merged file, or makes one. run->db stays NULL if there is no place for it. */
static enum cs_status open_kept(struct cs_run *run, const char *path, const struct cs_run_options *options,
                                const struct cs_job *job, struct lines *lines)
{
    struct cs_merged_file merged;
    struct cs_run_traces *traces = &run->traces;
    if (!cs_merged_file_find(&merged, path, traces->path, traces->count))
        return CS_OK;
    run->db = cs_merged_file_open(&merged, &traces->info.left_out);
    enum cs_status status = run->db ? prepare(run->db, options) : CS_OK;
    for (int place = 0; !run->db && status == CS_OK && place < CS_MERGED_PLACES; place++)
        status = make_kept(run, path, options, job, &merged, place, lines);
    if (status == CS_OK && run->db && options && !is_reduced(options) &&
        (options->materialize & ~cs_schema_materialized(run->db)))
        materialize(run, options, &merged);
    if (status == CS_OK && run->db && reads_materialized(run->db, options) &&
        cs_schema_add_materialized(run->db) != SQLITE_OK)
        status = CS_SQL;
    if (status == CS_OK && run->db && cs_rank_profile_is_left(run->db) &&
        cs_rank_profile_add(run->db, traces->path, traces->count, reads_materialized(run->db, options)) != SQLITE_OK)
        status = CS_SQL;
    int place = run->db ? place_of(run, &merged) : CS_MERGED_PLACES;
    if (place < CS_MERGED_PLACES)
        run->merged_file = strdup(merged.path[place]); /* NULL: no memory for it */
    return status;
}

/* Copies the traces into a temporary database, or the one that the caller wants. */
static enum cs_status open_copied(struct cs_run *run, const struct cs_run_options *options, const struct cs_job *job,
                                  struct lines *lines)
{
    size_t left_out = 0;
    const char *database = options ? options->database : NULL;
    const char *shown = options ? options->shown : NULL;
    enum cs_status status = merge(run, options, database, shown, false, lines, &left_out);
    run->traces.info.left_out += left_out;
    if (status == CS_OK)
        status = add_folder(run, job);
    if (status == CS_OK && database) /* others will read it, too */
        status = cs_merge_status(run->db, cs_event_tables_write(run->db));
    return status;
}

static enum cs_status open_traces(struct cs_run *run, const char *path, const struct cs_run_options *options)
{
    const struct cs_run_info *info = &run->traces.info;
    struct lines lines = {0};
    struct cs_job read;
    const struct cs_job *job = !info->single && cs_job_read(path, &read) ? &read : NULL;
    run->late = info->single ? NULL : cs_late_file_read(path);
    enum cs_status status = may_keep(run, options) ? open_kept(run, path, options, job, &lines) : CS_OK;
    for (size_t i = 0; !run->db && options && options->look_over && i < run->traces.count; i++)
        options->look_over(options->look_over_context, run->traces.path[i]);
    run->kept = run->db;
    if (status == CS_OK && run->traces.count == 1 && !job && !run->late && !(options && options->database))
        status = open_in_place(run, run->traces.path[0], options);
    if (status == CS_OK && !run->db && run->traces.count > 0)
        status = open_copied(run, options, job, &lines);
    if (status == CS_OK && run->db && !run->kept && options && options->materialize && !is_reduced(options))
        share(run->db, options->materialize);
    free(lines.text);
    if (status == CS_OK && info->left_out == info->files) {
        if (info->files > 1)
            cs_log("nothing in %s can be read", path);
        status = CS_CORRUPT;
    }
    return status;
}

static enum cs_status ask_region(sqlite3 *db, const char *region)
{
    int result = cs_schema_ask_region(db, region);
    if (result == SQLITE_OK)
        result = cs_rank_times_fill_apart(db, true);
    if (result == SQLITE_NOTFOUND)
        cs_log("the run has no region %s: callsign report RUN regions lists them", region);
    else if (result != SQLITE_OK)
        cs_log("cannot use --region: %s", sqlite3_errmsg(db));
    return result == SQLITE_OK ? CS_OK : CS_SQL;
}

static enum cs_status open_files(struct cs_run *run, const char *path, const struct cs_run_options *options,
                                 const struct stat *folder)
{
    struct cs_run_files files;
    size_t converted = 0;
    enum cs_status status = cs_run_files_converted(path, &files, &converted);
    if (status == CS_OK)
        status = cs_run_traces_collect(&files, options, &run->traces);
    cs_run_files_free(&files);
    run->traces.info.journals += converted;
    run->traces.info.folder = *folder;
    return status == CS_OK ? open_traces(run, path, options) : status;
}

/* The caller knows the folder by this path. */
static void name_for_caller(struct cs_run *run, const char *folder)
{
    char *file = run->merged_file;
    if (file && asprintf(&run->merged_file, "%s/%s", folder, CS_MERGED_NAME) < 0)
        run->merged_file = NULL; /* no memory for it */
    free(file);
}

/* Root opens the run of another user as that user: a link, or another folder in its place, leads to nothing that the
   user cannot read and write. */
static enum cs_status open_as_owner(struct cs_run *run, const char *path, const struct cs_run_options *options)
{
    struct stat about = {.st_uid = geteuid(), .st_gid = getegid()}, same;
    char opened[32];
    run->folder = open(path, O_PATH | O_CLOEXEC);
    if (run->folder < 0 || fstat(run->folder, &about) != 0 || geteuid() != 0)
        return open_files(run, path, options, &about);
    if (!cs_owner_begin(&about, &run->self)) {
        cs_log("%s belongs to another user, and this root may not act as that one", path);
        return CS_DENIED;
    }
    /* A folder above may be closed to the owner. */
    bool closed = stat(path, &same) != 0 && errno == EACCES;
    snprintf(opened, sizeof opened, "/proc/self/fd/%d", run->folder);
    enum cs_status status = open_files(run, closed ? opened : path, options, &about);
    cs_owner_end(&run->self);
    if (closed)
        name_for_caller(run, path);
    return status;
}

enum cs_status cs_run_open(const char *path, const struct cs_run_options *options, struct cs_run **result)
{
    struct cs_run *run = calloc(1, sizeof *run);
    if (run)
        run->self = cs_owner_current();
    enum cs_status status = run ? open_as_owner(run, path, options) : CS_NO_MEMORY;
    if (status == CS_OK && options && options->through &&
        cs_schema_ask_layers(run->db, options->through) != SQLITE_OK) {
        cs_log("cannot use the layers of --through: %s", sqlite3_errmsg(run->db));
        status = CS_SQL;
    }
    if (status == CS_OK && options && options->region)
        status = ask_region(run->db, options->region);
    if (status == CS_OK && options && options->forecasts)
        status = cs_merge_status(run->db, cs_schema_read_anew(run->db));
    if (status == CS_OK && is_reduced(options) && options->materialize)
        share(run->db, options->materialize);
    if (status == CS_NO_MEMORY)
        cs_log("out of memory while opening %s", path);
    if (run)
        cs_run_traces_unlink(&run->traces); /* now no file is left if we are killed */
    if (status != CS_OK) {
        cs_run_close(run);
        return status;
    }
    begin_json(run->db);
    atomic_store_explicit(&damage_found, false, memory_order_relaxed); /* that of ranks is reported */
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
    /* Its sum was not looked at, because it is very large. */
    if (run->merged_file && atomic_load_explicit(&damage_found, memory_order_relaxed) && unlink(run->merged_file) == 0)
        cs_log("%s was damaged: the next command makes it again", run->merged_file);
    free(run->merged_file);
    free(run->late);
    if (run->folder >= 0)
        close(run->folder);
    free(run);
}

sqlite3 *cs_run_database(struct cs_run *run)
{
    return run->db;
}

void cs_run_allow_temporary(struct cs_run *run, bool allowed)
{
    sqlite3_set_authorizer(run->db, allowed ? NULL : only_read, NULL);
}

enum cs_status cs_run_share(struct cs_run *run, const char *view)
{
    cs_run_allow_temporary(run, true);
    int result = cs_schema_share(run->db, view);
    if (result != SQLITE_OK)
        cs_log("cannot compute %s: %s", view, sqlite3_errmsg(run->db));
    cs_run_allow_temporary(run, false);
    return result == SQLITE_OK ? CS_OK : CS_SQL;
}

void cs_run_share_read(struct cs_run *run, const char *sql)
{
    cs_run_allow_temporary(run, true);
    cs_schema_share_read(run->db, sql, run->kept);
    cs_run_allow_temporary(run, false);
}

const struct cs_run_info *cs_run_info(const struct cs_run *run)
{
    return &run->traces.info;
}

const char *cs_run_merged_file(const struct cs_run *run)
{
    return run->merged_file;
}
