#include "db/run/resolved_frames.h"

#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_system.h"
#include "base/symbols/signature.h"
#include "db/run/files.h"
#include "db/trace/untrusted.h"
#include "journal/run_files.h"

struct found {
    struct found *next;
    int64_t frame;
    char *function, *signature, *file;
    int line;
};

struct found_data {
    struct found_data *next;
    int64_t row;
    struct cs_variable variable;
};

struct results {
    struct found *frames;
    struct found_data *data;
};

static void free_results(struct results *results)
{
    struct found *found = results->frames;
    while (found) {
        struct found *next = found->next;
        free(found->function);
        free(found->signature);
        free(found->file);
        free(found);
        found = next;
    }
    while (results->data) {
        struct found_data *next = results->data->next;
        free(results->data);
        results->data = next;
    }
}

static bool is_empty(const struct results *results)
{
    return !results->frames && !results->data;
}

static bool note(struct found **first, int64_t frame, const struct cs_source *source)
{
    struct found *found = calloc(1, sizeof *found);
    if (!found)
        return false;
    found->next = *first;
    *first = found;
    found->frame = frame;
    char function[sizeof source->function];
    found->function = strdup(cs_signature_shorten(source->function, function, sizeof function));
    found->signature = strdup(source->function);
    found->file = source->file[0] ? strdup(source->file) : NULL;
    found->line = source->line;
    return found->function && found->signature && (found->file || !source->file[0]);
}

/* The columns of a frame in a query, from that of its module's path on. */
static struct cs_resolve_frame read_frame(sqlite3_stmt *rows, int first)
{
    const char *build_id = (const char *)sqlite3_column_text(rows, first + 1);
    return (struct cs_resolve_frame){.module = (const char *)sqlite3_column_text(rows, first),
                                     .build_id = build_id ? build_id : "",
                                     .offset = sqlite3_column_int64(rows, first + 2),
                                     .recorded_ns = sqlite3_column_int64(rows, first + 3)};
}

static struct found *look_up_frames(sqlite3 *db, const struct cs_resolving *resolving)
{
    static const char sql[] =
        "SELECT f.frame, m.path, m.build_id, f.offset, (SELECT min(zero_utc_ns) FROM process)"
        " FROM frame f JOIN module m ON m.module = f.module WHERE f.function IS NULL AND m.path IS NOT NULL";
    struct found *first = NULL;
    sqlite3_stmt *frames = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &frames, NULL) != SQLITE_OK)
        return NULL;
    while (sqlite3_step(frames) == SQLITE_ROW) {
        const struct cs_resolve_frame frame = read_frame(frames, 1);
        struct cs_source source = {.line = 0};
        if (frame.module && resolving->look(resolving->context, &frame, &source) &&
            !note(&first, sqlite3_column_int64(frames, 0), &source))
            break;
    }
    sqlite3_finalize(frames);
    return first;
}

static struct found_data *look_up_data(sqlite3 *db, const struct cs_resolving *resolving)
{
    static const char sql[] =
        "SELECT v.rowid, v.frame_offset, v.bytes, m.path, m.build_id, v.offset, (SELECT min(zero_utc_ns) FROM process)"
        " FROM variable v JOIN module m ON m.module = v.module WHERE v.variable IS NULL AND m.path IS NOT NULL";
    struct found_data *first = NULL;
    sqlite3_stmt *rows = NULL;
    if (!resolving->look_at_data || sqlite3_prepare_v2(db, sql, -1, &rows, NULL) != SQLITE_OK)
        return NULL;
    while (sqlite3_step(rows) == SQLITE_ROW) {
        const struct cs_data_place place = {.frame_offset = sqlite3_column_int64(rows, 1),
                                            .bytes = sqlite3_column_int64(rows, 2)};
        const struct cs_resolve_frame frame = read_frame(rows, 3);
        struct found_data *found = calloc(1, sizeof *found);
        if (found && frame.module && resolving->look_at_data(resolving->context, &frame, &place, &found->variable)) {
            found->row = sqlite3_column_int64(rows, 0);
            found->next = first;
            first = found;
        } else {
            free(found);
        }
    }
    sqlite3_finalize(rows);
    return first;
}

/* ---- writing ---- */

static bool copy_bytes(int from, int to)
{
    static char buffer[1 << 16];
    ssize_t got;
    while ((got = read(from, buffer, sizeof buffer)) > 0)
        for (ssize_t done = 0; done < got;) {
            ssize_t written = write(to, buffer + done, (size_t)(got - done));
            if (written < 0)
                return false;
            done += written;
        }
    return got == 0;
}

static bool update_frames(sqlite3 *db, const struct found *found)
{
    sqlite3_stmt *write = NULL;
    bool good =
        sqlite3_prepare_v2(
            db, "UPDATE frame SET function = ?1, function_signature = ?2, file = ?3, line = ?4 WHERE frame = ?5", -1,
            &write, NULL) == SQLITE_OK;
    for (; good && found; found = found->next) {
        sqlite3_bind_text(write, 1, found->function, -1, SQLITE_STATIC);
        sqlite3_bind_text(write, 2, found->signature, -1, SQLITE_STATIC);
        sqlite3_bind_text(write, 3, found->file, -1, SQLITE_STATIC);
        if (found->line)
            sqlite3_bind_int(write, 4, found->line);
        else
            sqlite3_bind_null(write, 4);
        sqlite3_bind_int64(write, 5, found->frame);
        good = sqlite3_step(write) == SQLITE_DONE;
        sqlite3_reset(write);
    }
    sqlite3_finalize(write);
    return good;
}

static bool update_data(sqlite3 *db, const struct found_data *found)
{
    sqlite3_stmt *write = NULL;
    bool good = sqlite3_prepare_v2(db, "UPDATE variable SET variable = ?1, beyond_bytes = ?2 WHERE rowid = ?3", -1,
                                   &write, NULL) == SQLITE_OK;
    for (; good && found; found = found->next) {
        sqlite3_bind_text(write, 1, found->variable.name, -1, SQLITE_STATIC);
        if (found->variable.name[0])
            sqlite3_bind_int64(write, 2, found->variable.beyond_bytes);
        else
            sqlite3_bind_null(write, 2);
        sqlite3_bind_int64(write, 3, found->row);
        good = sqlite3_step(write) == SQLITE_DONE;
        sqlite3_reset(write);
    }
    sqlite3_finalize(write);
    return good;
}

static bool update(sqlite3 *db, const struct results *results)
{
    return sqlite3_exec(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN", NULL, NULL, NULL) ==
               SQLITE_OK &&
           update_frames(db, results->frames) && update_data(db, results->data) &&
           sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

static bool update_file(const char *path, const struct results *results)
{
    sqlite3 *db = NULL;
    char message[CS_UNTRUSTED_MESSAGE_BYTES];
    bool good = cs_untrusted_open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, "unix-none", &db) == CS_OK &&
                cs_trace_check(db, path, message) == CS_OK;
    if (good) {
        sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL); /* defensive mode forbids to disable the journal */
        good = update(db, results);
    }
    sqlite3_close(db);
    return good;
}

/* `from` is the open trace. */
static enum cs_status replace(const char *trace, int from, const struct stat *about, const struct results *results)
{
    char copy[PATH_MAX];
    int to = cs_temporary_create(trace, copy);
    if (to < 0)
        return CS_IO;
    bool done = copy_bytes(from, to) && update_file(copy, results) && cs_owner_give(to, about);
    done = close(to) == 0 && done && rename(copy, trace) == 0;
    if (!done)
        unlink(copy);
    return done ? CS_OK : CS_IO;
}

static enum cs_status write_found(const char *trace, const struct results *results)
{
    struct stat about;
    struct cs_owner before;
    int from = open(trace, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (from < 0)
        return CS_IO;
    enum cs_status status = CS_IO;
    if (fstat(from, &about) == 0 && S_ISREG(about.st_mode) && cs_owner_begin(&about, &before)) {
        status = replace(trace, from, &about, results);
        cs_owner_end(&before);
    }
    close(from);
    return status;
}

/* Empty: nothing was found, or the file is no trace. */
static struct results look_into(const char *trace, const struct cs_resolving *resolving)
{
    struct results results = {0};
    sqlite3 *db;
    if (cs_trace_open(trace, &db, NULL) == CS_OK)
        results = (struct results){look_up_frames(db, resolving), look_up_data(db, resolving)};
    sqlite3_close(db);
    return results;
}

enum cs_status cs_resolved_frames_write(const char *trace, const struct cs_resolving *resolving)
{
    if (cs_trace_is_changing(trace) || !cs_run_folder_is_writable(trace) || access(trace, W_OK) != 0)
        return CS_OK;
    struct results results = look_into(trace, resolving);
    enum cs_status status = is_empty(&results) ? CS_OK : write_found(trace, &results);
    free_results(&results);
    return status;
}

enum cs_status cs_resolved_frames_write_in_place(const char *trace, const struct cs_resolving *resolving)
{
    struct results results = look_into(trace, resolving);
    bool good = is_empty(&results) || update_file(trace, &results);
    free_results(&results);
    return good ? CS_OK : CS_SQL;
}
