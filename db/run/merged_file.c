#include "db/run/merged_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file_system.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/path.h"
#include "base/trust.h"
#include "db/trace/schema.h"
#include "db/trace/untrusted.h"
#include "journal/run_files.h"

/* ---- what the files of the run are ---- */

/* Two hashes of the same bytes, because equal ones make a file valid. */
struct hash {
    uint64_t forward, other;
};

static void add_bytes(struct hash *hash, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    hash->forward = cs_hash_bytes(hash->forward, bytes, length);
    for (size_t i = 0; i < length; i++)
        hash->other = cs_hash_mix(hash->other, byte[i]);
}

static void add_file(struct hash *hash, const char *path, const struct stat *about)
{
    const int64_t facts[] = {about->st_size, about->st_mtim.tv_sec, about->st_mtim.tv_nsec};
    const char *name = cs_path_name(path);
    add_bytes(hash, name, strlen(name) + 1);
    add_bytes(hash, facts, sizeof facts);
}

static bool describe(struct cs_merged_file *merged, const char *folder, char *const *trace, size_t count)
{
    struct hash hash = {CS_HASH_BEGIN, 0};
    struct stat about;
    char job[PATH_MAX];
    for (size_t i = 0; i < count; i++) {
        if (stat(trace[i], &about) != 0)
            memset(&about, 0, sizeof about); /* it is left out */
        add_file(&hash, trace[i], &about);
        if (i == 0)
            merged->like = about;
        merged->like.st_mode &= cs_mode_for_group(&about, merged->like.st_gid);
    }
    static const char *const beside[] = {".job", CS_RUN_LATE_NAME};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        if (snprintf(job, sizeof job, "%s/%s", folder, beside[i]) < (int)sizeof job && stat(job, &about) == 0)
            add_file(&hash, job, &about);
    snprintf(merged->files, sizeof merged->files, "%016" PRIx64 "%016" PRIx64, hash.forward, hash.other);
    return count && merged->like.st_ino;
}

/* ---- places ---- */

/* In a home folder that users share, or that sudo kept, others could put files there. */
static bool make_folder(const char *path)
{
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%s", path);
    cs_path_to_folder(parent);
    return cs_trust_path(parent) && (mkdir(path, 0700) == 0 || errno == EEXIST) && cs_trust_path(path) &&
           access(path, W_OK) == 0;
}

/* The user's folder for such files, which is made. */
static bool find_cache(char folder[PATH_MAX])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char parent[PATH_MAX];
    int length;
    if (cache && *cache == '/')
        length = snprintf(parent, sizeof parent, "%s", cache);
    else if (home && *home == '/')
        length = snprintf(parent, sizeof parent, "%s/.cache", home);
    else
        return false;
    if (length >= (int)sizeof parent || !make_folder(parent))
        return false;
    return snprintf(folder, PATH_MAX, "%s/callsign", parent) < PATH_MAX && make_folder(folder);
}

static void find_in_cache(const char *folder, char path[PATH_MAX])
{
    char real[PATH_MAX], cache[PATH_MAX];
    struct hash hash = {CS_HASH_BEGIN, 0};
    *path = 0;
    if (!realpath(folder, real) || !find_cache(cache))
        return;
    add_bytes(&hash, real, strlen(real));
    if (snprintf(path, PATH_MAX, "%s/%016" PRIx64 "%016" PRIx64 ".db", cache, hash.forward, hash.other) >= PATH_MAX)
        *path = 0;
}

bool cs_merged_file_find(struct cs_merged_file *merged, const char *folder, char *const *trace, size_t count)
{
    *merged = (struct cs_merged_file){.files = ""};
    if (!describe(merged, folder, trace, count))
        return false;
    if (snprintf(merged->path[0], PATH_MAX, "%s/%s", folder, CS_MERGED_NAME) >= PATH_MAX)
        *merged->path[0] = 0;
    if (access(folder, W_OK) != 0 || !cs_owner_may(&merged->like))
        find_in_cache(folder, merged->path[CS_MERGED_IN_CACHE]);
    return true;
}

/* ---- the sum of its bytes: SQLite notices damage only where it reads, and none of values ---- */

/* Follows the database in the file. SQLite ignores it. */
struct sum {
    char name[8];
    uint64_t sum;
};

/* To look at so much takes a tenth of a second. Damage in larger files is found by SQLite, if at all. */
#define SUMMED_MOST (256ll << 20)

static const char sum_name[sizeof((struct sum *)NULL)->name] = "callsum";

/* Computes the sum of the first bytes of a file. */
static bool compute_sum(int file, off_t bytes, struct sum *sum)
{
    enum { LANES = 4 };
    static _Thread_local uint64_t word[1 << 15];
    uint64_t lane[LANES] = {0, 1, 2, 3};
    for (off_t at = 0; at < bytes;) {
        size_t wanted = bytes - at < (off_t)sizeof word ? (size_t)(bytes - at) : sizeof word;
        memset(word, 0, sizeof word);
        if (pread(file, word, wanted, at) != (ssize_t)wanted)
            return false;
        for (size_t i = 0; i < sizeof word / sizeof *word; i += LANES)
            for (size_t j = 0; j < LANES; j++)
                lane[j] = cs_hash_mix(lane[j], word[i + j]);
        at += (off_t)wanted;
    }
    sum->sum = (uint64_t)bytes;
    for (size_t j = 0; j < LANES; j++)
        sum->sum = cs_hash_mix(sum->sum, lane[j]);
    memcpy(sum->name, sum_name, sizeof sum->name);
    return true;
}

static bool append_sum(int file)
{
    struct stat about;
    struct sum sum;
    return fstat(file, &about) == 0 && compute_sum(file, about.st_size, &sum) &&
           pwrite(file, &sum, sizeof sum, about.st_size) == sizeof sum;
}

static bool has_sum(const char *path)
{
    struct stat about;
    struct sum found, computed;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    bool good = file >= 0 && fstat(file, &about) == 0 && about.st_size > (off_t)sizeof found;
    off_t bytes = good ? about.st_size - (off_t)sizeof found : 0;
    good = good && pread(file, &found, sizeof found, bytes) == sizeof found &&
           memcmp(found.name, sum_name, sizeof found.name) == 0 &&
           (bytes > SUMMED_MOST || (compute_sum(file, bytes, &computed) && computed.sum == found.sum));
    if (file >= 0)
        close(file);
    return good;
}

/* ---- reading ---- */

/* Each line was about a file of a name that may have changed since: it is logged as it was. */
static void log_lines(const char *lines)
{
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        cs_log("%.*s", (int)length, lines);
        lines += length + (lines[length] == '\n');
    }
}

/* A file that was cut off shows so here, and not in the middle of an answer. */
static bool is_whole(sqlite3 *db, const char *path)
{
    static const char sql[] = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
    int64_t bytes;
    struct stat about;
    return cs_merge_query_integer(db, sql, NULL, &bytes) && stat(path, &about) == 0 &&
           about.st_size == bytes + (int64_t)sizeof(struct sum);
}

static bool is_valid(sqlite3 *db, const char *path, const struct cs_merged_file *merged, size_t *left_out)
{
    static const char sql[] = "SELECT files, left_out, lines FROM main.merged_from";
    sqlite3_stmt *row = NULL;
    bool valid = cs_schema_is_of_run(db) && is_whole(db, path) &&
                 sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW;
    const char *files = valid ? (const char *)sqlite3_column_text(row, 0) : NULL;
    valid = files && strcmp(files, merged->files) == 0 && has_sum(path);
    if (valid) {
        const char *lines = (const char *)sqlite3_column_text(row, 2);
        *left_out += (size_t)sqlite3_column_int64(row, 1);
        log_lines(lines ? lines : "");
    }
    sqlite3_finalize(row);
    return valid;
}

static sqlite3 *open_at(const struct cs_merged_file *merged, const char *path, size_t *left_out)
{
    struct stat about;
    if (!*path || lstat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return NULL;
    sqlite3 *db;
    bool valid = cs_trace_open(path, &db, NULL) == CS_OK && is_valid(db, path, merged, left_out);
    if (valid)
        cs_trace_trust(db);
    if (valid && path == merged->path[CS_MERGED_IN_CACHE]) /* a file that is used stays */
        utimensat(AT_FDCWD, path, (const struct timespec[]){{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}}, 0);
    if (valid)
        return db;
    sqlite3_close(db);
    return NULL;
}

sqlite3 *cs_merged_file_open(const struct cs_merged_file *merged, size_t *left_out)
{
    sqlite3 *db = NULL;
    for (int place = 0; place < CS_MERGED_PLACES; place++) {
        if (*merged->path[place])
            cs_temporary_clear_beside(merged->path[place]); /* of commands that were killed */
        if (!db)
            db = open_at(merged, merged->path[place], left_out);
    }
    return db;
}

/* ---- making ---- */

bool cs_merged_draft_begin(struct cs_merged_draft *draft, const struct cs_merged_file *merged, int place)
{
    *draft = (struct cs_merged_draft){.file = -1};
    strcpy(draft->path, merged->path[place]);
    draft->among_ranks = place != CS_MERGED_IN_CACHE;
    if (!*draft->path || (draft->among_ranks && merged->like.st_uid != cs_owner_current().user))
        return false;
    draft->file = cs_temporary_create(draft->path, draft->temporary);
    if (draft->file < 0)
        return false;
    draft->lock = cs_writer_lock_acquire(dup(draft->file)); /* other commands see that this one is at work */
    return true;
}

bool cs_merged_draft_copy(const struct cs_merged_draft *draft)
{
    int from = open(draft->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    ssize_t copied = from < 0 ? -1 : 1;
    while (copied > 0)
        copied = sendfile(draft->file, from, NULL, 1 << 30);
    struct stat about;
    bool done = copied == 0 && fstat(from, &about) == 0 &&
                ftruncate(draft->file, about.st_size - (off_t)sizeof(struct sum)) == 0;
    if (from >= 0)
        close(from);
    return done;
}

enum cs_status cs_merged_draft_sign(sqlite3 *db, const struct cs_merged_file *merged, size_t left_out,
                                    const char *lines)
{
    sqlite3_stmt *insert;
    if (sqlite3_exec(db, CS_SCHEMA_MERGED_FROM, NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, "INSERT INTO merged_from VALUES (?1, ?2, ?3)", -1, &insert, NULL) != SQLITE_OK)
        return CS_SQL;
    sqlite3_bind_text(insert, 1, merged->files, -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 2, (sqlite3_int64)left_out);
    sqlite3_bind_text(insert, 3, lines ? lines : "", -1, SQLITE_STATIC);
    sqlite3_step(insert);
    return sqlite3_finalize(insert) == SQLITE_OK ? CS_OK : CS_SQL;
}

/* Both connections are callsign's own; the old file may be anybody's, but has our tables and no views of its own. */
static void copy_frames(sqlite3 *from, sqlite3 *to)
{
    static const char read[] =
        "SELECT f.function, f.function_signature, f.file, f.line, f.frame, f.offset, m.path, m.build_id"
        " FROM main.frame f JOIN main.module m ON m.module = f.module"
        " WHERE f.function IS NOT NULL";
    static const char write[] = "UPDATE main.frame SET function = ?1, function_signature = ?2, file = ?3, line = ?4"
                                " WHERE frame = ?5 AND offset IS ?6 AND function IS NULL AND module IN"
                                " (SELECT module FROM main.module WHERE path IS ?7 AND build_id IS ?8)";
    sqlite3_stmt *old = NULL, *update = NULL;
    if (sqlite3_prepare_v2(from, read, -1, &old, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(to, write, -1, &update, NULL) == SQLITE_OK &&
        sqlite3_exec(to, "BEGIN", NULL, NULL, NULL) == SQLITE_OK) {
        while (sqlite3_step(old) == SQLITE_ROW) {
            for (int i = 0; i < 8; i++)
                sqlite3_bind_value(update, i + 1, sqlite3_column_value(old, i));
            sqlite3_step(update);
            sqlite3_reset(update);
        }
        sqlite3_exec(to, "COMMIT", NULL, NULL, NULL);
    }
    sqlite3_finalize(old);
    sqlite3_finalize(update);
}

void cs_merged_draft_inherit(sqlite3 *db, const struct cs_merged_draft *draft)
{
    struct stat about;
    if (lstat(draft->path, &about) != 0 || !S_ISREG(about.st_mode))
        return;
    sqlite3 *old;
    if (cs_trace_open(draft->path, &old, NULL) == CS_OK && cs_schema_is_of_run(old))
        copy_frames(old, db);
    sqlite3_close(old);
}

/* ---- the cache, which nobody else cleans ---- */

#define CACHE_MOST         (4ll << 30)      /* bytes */
#define CACHE_SECONDS_MOST (30 * 24 * 3600) /* since a file was used */
#define IN_USE_SECONDS     3600             /* a file that was used so recently stays */

struct cached {
    char path[PATH_MAX];
    int64_t used_s, bytes;
};

static int by_use(const void *left, const void *right)
{
    const struct cached *a = left, *b = right;
    return cs_compare(b->used_s, a->used_s);
}

/* "0123456789abcdef0123456789abcdef.db" */
static bool is_cached_name(const char *name)
{
    return strspn(name, "0123456789abcdef") == 32 && strcmp(name + 32, ".db") == 0;
}

/* The files of the cache. Without memory, some of them. */
static struct cached *list_cache(const char *folder, size_t *count)
{
    struct cached *cached = NULL;
    size_t room = 0;
    struct stat about;
    DIR *entries = opendir(folder);
    *count = 0;
    for (const struct dirent *entry; entries && (entry = readdir(entries));) {
        if (!is_cached_name(entry->d_name) || !cs_array_grow(&cached, *count, &room, sizeof *cached))
            continue;
        struct cached *one = &cached[*count];
        if (snprintf(one->path, sizeof one->path, "%s/%s", folder, entry->d_name) >= (int)sizeof one->path ||
            lstat(one->path, &about) != 0 || !S_ISREG(about.st_mode))
            continue;
        one->used_s = about.st_atim.tv_sec > about.st_mtim.tv_sec ? about.st_atim.tv_sec : about.st_mtim.tv_sec;
        one->bytes = about.st_size;
        ++*count;
    }
    if (entries)
        closedir(entries);
    return cached;
}

/* Removes files that were not used for long, and those that were not used for longest if there are too many. */
static void bound_cache(const char *newest)
{
    char folder[PATH_MAX];
    size_t count;
    snprintf(folder, sizeof folder, "%s", newest);
    cs_path_to_folder(folder);
    struct cached *cached = list_cache(folder, &count);
    int64_t now_s = time(NULL), bytes = 0;
    if (cached)
        qsort(cached, count, sizeof *cached, by_use);
    for (size_t i = 0; i < count; i++) {
        int64_t idle_s = now_s - cached[i].used_s;
        bytes += cached[i].bytes;
        if (idle_s > CACHE_SECONDS_MOST || (bytes > CACHE_MOST && idle_s > IN_USE_SECONDS)) {
            unlink(cached[i].path);
            bytes -= cached[i].bytes;
        }
    }
    free(cached);
}

bool cs_merged_draft_publish(struct cs_merged_draft *draft, const struct cs_merged_file *merged)
{
    bool done = append_sum(draft->file) && (!draft->among_ranks || cs_owner_give(draft->file, &merged->like)) &&
                rename(draft->temporary, draft->path) == 0;
    if (done && !draft->among_ranks)
        bound_cache(draft->path);
    if (done)
        *draft->temporary = 0;
    return done;
}

void cs_merged_draft_end(struct cs_merged_draft *draft)
{
    if (*draft->temporary)
        unlink(draft->temporary);
    cs_writer_lock_release(draft->lock);
    if (draft->file >= 0)
        close(draft->file);
    *draft = (struct cs_merged_draft){.file = -1};
}
