#include "db/run/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/log.h"
#include "base/path.h"
#include "db/convert/node.h"
#include "db/run/node_trace.h"
#include "db/trace/schema.h"
#include "journal/format.h"
#include "journal/node_folder.h"
#include "journal/run_files.h"

#define SQLITE_MAGIC "SQLite format 3" /* with its NUL */
#define RUN_SUFFIX   ".callsign"

enum { LISTINGS_MAX = 3 };

/* Parses "rank-00012.db", "node-<node>.db" and "process-<node>-4711.journal". Returns false for other names. */
static bool parse_name(const char *name, struct cs_run_file *file)
{
    const char *digits;
    file->of_node = cs_node_name_is_trace(name);
    if (file->of_node)
        return true; /* CS_RUN_TRACE */
    if (!cs_run_name_begins(name, &file->ranked, &digits))
        return false;
    char *end;
    errno = 0;
    file->number = strtoull(digits, &end, 10);
    if (end == digits || errno || *digits < '0' || *digits > '9')
        return false;
    if (strcmp(end, CS_RUN_TRACE_SUFFIX) == 0)
        file->kind = CS_RUN_TRACE;
    else if (strcmp(end, CS_RUN_JOURNAL_SUFFIX) == 0)
        file->kind = CS_RUN_JOURNAL;
    else
        return false;
    return true;
}

/* Adds a file and takes over `path`, also on failure. */
static enum cs_status files_add(struct cs_run_files *files, struct cs_run_file file, char *path)
{
    if (!path)
        return CS_NO_MEMORY;
    if (!cs_array_grow(&files->file, files->count, &files->room, sizeof file)) {
        free(path);
        return CS_NO_MEMORY;
    }
    file.path = path;
    files->file[files->count++] = file;
    return CS_OK;
}

static const char *slash_after(const char *folder)
{
    return cs_path_ends(folder, "/") ? "" : "/";
}

static char *join(const char *folder, const char *name)
{
    char *path;
    return asprintf(&path, "%s%s%s", folder, slash_after(folder), name) < 0 ? NULL : path;
}

/* Compares the names before the suffix. A journal in the folder of a node has its trace outside. */
static int compare_stems(const char *a, const char *b)
{
    a = cs_path_name(a);
    b = cs_path_name(b);
    size_t a_bytes = (size_t)(strrchr(a, '.') - a), b_bytes = (size_t)(strrchr(b, '.') - b);
    int order = memcmp(a, b, a_bytes < b_bytes ? a_bytes : b_bytes);
    return order ? order : (a_bytes > b_bytes) - (a_bytes < b_bytes);
}

static int by_rank(const void *left, const void *right)
{
    const struct cs_run_file *a = left;
    const struct cs_run_file *b = right;
    if (a->ranked != b->ranked)
        return a->ranked ? -1 : 1;
    if (a->of_node != b->of_node)
        return a->of_node ? -1 : 1;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    int order = compare_stems(a->path, b->path);
    if (order)
        return order;
    return a->kind < b->kind ? -1 : a->kind > b->kind; /* the trace before its journal */
}

/* Checks the first bytes: the magic of SQLite and our application id. */
static bool is_trace(const char *path)
{
    unsigned char begin[72];
    const unsigned char *id = begin + 68;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    ssize_t got = read(fd, begin, sizeof begin);
    close(fd);
    return got == sizeof begin && memcmp(begin, SQLITE_MAGIC, sizeof SQLITE_MAGIC) == 0 &&
           ((uint32_t)id[0] << 24 | (uint32_t)id[1] << 16 | (uint32_t)id[2] << 8 | id[3]) == CS_TRACE_APPLICATION_ID;
}

static void log_blocked(const char *trace)
{
    cs_log("%s is not a callsign trace: its journal is read, and converted once that file is moved", trace);
}

/* A journal next to its trace was converted: the conversion was interrupted, or had to keep it. If the other file is
   no trace, the journal is the only data of its rank. */
static void drop_converted_journals(struct cs_run_files *files)
{
    size_t kept = 0;
    for (size_t i = 0; i < files->count; i++) {
        struct cs_run_file *it = &files->file[i], *before = kept ? &files->file[kept - 1] : NULL;
        bool pair = it->kind == CS_RUN_JOURNAL && before && before->kind == CS_RUN_TRACE &&
                    compare_stems(before->path, it->path) == 0;
        if (pair && is_trace(before->path)) {
            free(it->path);
            continue;
        }
        if (pair) {
            log_blocked(before->path);
            free(before->path);
            it->blocked = true;
            kept--;
        }
        files->file[kept++] = *it;
    }
    files->count = kept;
}

static bool is_of_node(const char *trace, const char *folder)
{
    char first[PATH_MAX];
    size_t stem = cs_node_name_of_trace(folder, 1, first) ? strlen(first) - strlen(CS_RUN_TRACE_SUFFIX) : 0;
    return stem && strncmp(trace, first, stem) == 0 && trace[stem] == '.';
}

/* True if this file has a rank that the trace of a node has, too. A journal in the node's folder: its conversion was
   interrupted, or had to keep it. A trace of the rank alone: two processes have converted at once. */
static bool is_in_node_trace(const struct cs_run_file *file, const char *path, const char *folder)
{
    size_t length = folder ? strlen(folder) : 0;
    if (!file->ranked || file->of_node || strcmp(file->path, path) == 0)
        return false;
    return file->kind == CS_RUN_TRACE ||
           (folder && strncmp(file->path, folder, length) == 0 && file->path[length] == '/');
}

static enum cs_status drop_ranks_of(struct cs_run_files *files, const char *path, const char *folder)
{
    struct cs_node_trace trace;
    enum cs_status status = cs_node_trace_read(path, &trace);
    size_t kept = 0;
    for (size_t i = 0; i < files->count; i++) {
        const struct cs_run_file *it = &files->file[i];
        if (is_in_node_trace(it, path, folder) && cs_node_trace_has(&trace, (int64_t)it->number))
            free(it->path);
        else
            files->file[kept++] = *it;
    }
    files->count = kept;
    cs_node_trace_free(&trace);
    return status;
}

/* The folder with journals of the node that has this trace, or NULL. */
static const char *folder_of_node(const struct cs_run_files *files, const char *trace)
{
    for (size_t i = 0; i < files->node_folders; i++)
        if (is_of_node(trace, files->node_folder[i]))
            return files->node_folder[i];
    return NULL;
}

static bool has_ranks_alone(const struct cs_run_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        if (files->file[i].ranked && !files->file[i].of_node)
            return true;
    return false;
}

/* Each rank is read once, where the trace of a node stands beside other files. */
static enum cs_status drop_ranks_of_nodes(struct cs_run_files *files)
{
    enum cs_status status = CS_OK;
    if (!has_ranks_alone(files))
        return CS_OK;
    for (size_t i = files->count; status == CS_OK && i-- > 0;) {
        if (i >= files->count || !files->file[i].of_node)
            continue;
        char *path = strdup(files->file[i].path);
        status = path ? drop_ranks_of(files, path, folder_of_node(files, path)) : CS_NO_MEMORY;
        free(path);
    }
    return status;
}

/* Opening a pipe would block. A dangling link is reported when it is read. */
static bool is_irregular(DIR *folder, const struct dirent *entry)
{
    struct stat about;
    return entry->d_type != DT_REG && fstatat(dirfd(folder), entry->d_name, &about, 0) == 0 && !S_ISREG(about.st_mode);
}

static enum cs_status log_nothing(const char *path, const char *a_run, size_t runs)
{
    if (runs == 1)
        cs_log("%s is not a callsign run, but there is one in it: %s%s%s", path, path, slash_after(path), a_run);
    else if (runs > 1)
        cs_log("%s is not a callsign run, but there are %zu in it; name one, for example %s%s%s", path, runs, path,
               slash_after(path), a_run);
    else
        cs_log("%s is not a callsign run: there is no rank-*.db in it. Name the folder (*.callsign) that the recorded "
               "program left",
               path);
    return CS_INVALID;
}

static enum cs_status add_entry(struct cs_run_files *files, DIR *folder, const char *path, const struct dirent *entry,
                                struct cs_run_file *file)
{
    if (!is_irregular(folder, entry))
        return files_add(files, *file, join(path, entry->d_name));
    cs_log("%s/%s is not a regular file; left out", path, entry->d_name);
    files->left_out++;
    return CS_OK;
}

/* Takes over `path`. */
static enum cs_status list_node_folder(struct cs_run_files *files, char *path)
{
    if (!path || !cs_array_grow(&files->node_folder, files->node_folders, &files->node_room, sizeof path)) {
        free(path);
        return CS_NO_MEMORY;
    }
    DIR *folder = cs_node_folder_is_ours(path) ? opendir(path) : NULL;
    if (!folder) {
        if (cs_node_folder_is_missing(path)) {
            files->left_out++;
        } else if (errno != ENOENT) { /* it may have been converted meanwhile */
            cs_log("cannot read the folder %s: %s", path, strerror(errno));
            files->left_out++;
        }
        free(path);
        return CS_OK;
    }
    files->node_folder[files->node_folders++] = path;
    enum cs_status status = CS_OK;
    const struct dirent *entry;
    while (status == CS_OK && (entry = readdir(folder))) {
        struct cs_run_file file = {.inode = entry->d_ino};
        if (parse_name(entry->d_name, &file) && file.kind == CS_RUN_JOURNAL)
            status = add_entry(files, folder, path, entry, &file);
    }
    closedir(folder);
    return status;
}

static enum cs_status list_folder(const char *path, struct cs_run_files *files)
{
    DIR *folder = opendir(path);
    if (!folder) {
        cs_log("cannot read the folder %s: %s", path, strerror(errno));
        return CS_IO;
    }
    enum cs_status status = CS_OK;
    char a_run[NAME_MAX + 1] = "";
    size_t runs = 0;
    const struct dirent *entry;
    while (status == CS_OK && (entry = readdir(folder))) {
        struct cs_run_file file = {.inode = entry->d_ino};
        if (cs_node_name_is_folder(entry->d_name)) {
            status = list_node_folder(files, join(path, entry->d_name));
        } else if (parse_name(entry->d_name, &file)) {
            status = add_entry(files, folder, path, entry, &file);
        } else if (cs_path_ends(entry->d_name, RUN_SUFFIX)) {
            runs++;
            if (!*a_run || strcmp(entry->d_name, a_run) < 0)
                snprintf(a_run, sizeof a_run, "%s", entry->d_name);
        } else {
            cs_temporary_clear(dirfd(folder), entry->d_name);
        }
    }
    closedir(folder);
    if (status != CS_OK) {
        cs_log("out of memory while listing %s", path);
        return status;
    }
    if (files->count == 0 && files->left_out)
        return CS_INVALID;
    if (files->count == 0)
        return log_nothing(path, a_run, runs);
    qsort(files->file, files->count, sizeof *files->file, by_rank);
    drop_converted_journals(files);
    return drop_ranks_of_nodes(files);
}

/* True if another file has the name of the journal's future trace. */
static bool is_blocked(const char *journal)
{
    char trace[PATH_MAX];
    bool blocked = cs_run_name_of_trace(journal, trace) && access(trace, F_OK) == 0 && !is_trace(trace);
    if (blocked)
        log_blocked(trace);
    return blocked;
}

static enum cs_status list_file(const char *path, struct cs_run_files *files)
{
    char begin[16] = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        cs_log("cannot open %s: %s", path, strerror(errno));
        return CS_IO;
    }
    ssize_t got = read(fd, begin, sizeof begin);
    close(fd);
    struct cs_run_file file = {.kind = CS_RUN_TRACE};
    files->single = true;
    if (got == sizeof begin && memcmp(begin, CS_JOURNAL_MAGIC, 8) == 0) {
        file.kind = CS_RUN_JOURNAL;
        file.blocked = is_blocked(path);
    } else if (got != sizeof begin || memcmp(begin, SQLITE_MAGIC, sizeof SQLITE_MAGIC) != 0) {
        cs_log(
            "%s is neither a callsign trace nor a journal. Name the folder (*.callsign) that the recorded program left",
            path);
        return CS_INVALID;
    }
    enum cs_status status = files_add(files, file, strdup(path));
    if (status != CS_OK)
        cs_log("out of memory");
    return status;
}

/* True if a process learned its rank, and renamed its journal, while the folder was read. */
static bool was_renamed(const struct cs_run_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        if (!files->file[i].ranked && !files->file[i].of_node && access(files->file[i].path, F_OK) != 0 &&
            errno == ENOENT)
            return true;
    return false;
}

/* Each process renames its journal once, so a few listings are enough even if many processes begin together. */
static enum cs_status list_settled_folder(const char *path, struct cs_run_files *files)
{
    enum cs_status status = list_folder(path, files);
    for (int again = 0; status == CS_OK && again < LISTINGS_MAX && was_renamed(files); again++) {
        cs_run_files_free(files);
        status = list_folder(path, files);
    }
    return status;
}

static bool is_link(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 && S_ISLNK(about.st_mode);
}

enum cs_status cs_run_files_list(const char *path, struct cs_run_files *files)
{
    *files = (struct cs_run_files){0};
    struct stat about;
    char elsewhere[PATH_MAX], real[PATH_MAX];
    const char *file = cs_node_local_resolve(path, elsewhere);
    if (stat(path, &about) != 0) {
        if (file != path)
            cs_node_local_log_missing(path, file);
        else if (errno == ENOENT || errno == ENOTDIR)
            cs_log("%s does not exist. Name the folder (*.callsign) that the recorded program left", path);
        else
            cs_log("cannot open %s: %s", path, strerror(errno));
        return CS_INVALID;
    }
    enum cs_status status = CS_INVALID;
    if (S_ISDIR(about.st_mode))
        status = list_settled_folder(path, files);
    else if (S_ISREG(about.st_mode))
        status =
            list_file(is_link(path) && realpath(path, real) ? real : path, files); /* SQLite does not follow a link */
    else
        cs_log("%s is neither a folder nor a file", path);
    if (status != CS_OK)
        cs_run_files_free(files);
    return status;
}

bool cs_run_file_follow(struct cs_run_file *file)
{
    char *copy = strdup(file->path), *path = NULL;
    const char *name = copy ? dirname(copy) : NULL;
    DIR *folder = name && file->inode ? opendir(name) : NULL;
    struct cs_run_file found;
    for (const struct dirent *entry; folder && !path && (entry = readdir(folder));) {
        found = *file;
        if (entry->d_ino == file->inode && parse_name(entry->d_name, &found) && found.kind == file->kind)
            path = join(name, entry->d_name);
    }
    if (folder)
        closedir(folder);
    free(copy);
    if (!path)
        return false;
    free(file->path);
    *file = found;
    file->path = path;
    return true;
}

static bool is_converted(const struct cs_converted_node *converted, const char *journal)
{
    for (size_t i = 0; i < converted->count; i++)
        if (strcmp(converted->journal[i], journal) == 0)
            return true;
    return false;
}

enum cs_status cs_run_files_replace(struct cs_run_files *files, const char *node_folder,
                                    const struct cs_converted_node *converted)
{
    size_t length = strlen(node_folder), kept = 0;
    for (size_t i = 0; i < files->count; i++) {
        struct cs_run_file *it = &files->file[i];
        if (strncmp(it->path, node_folder, length) == 0 && it->path[length] == '/' && is_converted(converted, it->path))
            free(it->path);
        else
            files->file[kept++] = *it;
    }
    files->count = kept;
    enum cs_status status =
        files_add(files, (struct cs_run_file){.kind = CS_RUN_TRACE, .of_node = true}, strdup(converted->trace));
    if (files->count)
        qsort(files->file, files->count, sizeof *files->file, by_rank);
    return status;
}

void cs_run_files_free(struct cs_run_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->file[i].path);
    for (size_t i = 0; i < files->node_folders; i++)
        free(files->node_folder[i]);
    free(files->node_folder);
    free(files->file);
    *files = (struct cs_run_files){0};
}

bool cs_run_folder_is_writable(const char *path)
{
    char *copy = strdup(path);
    bool writable = copy && access(dirname(copy), W_OK) == 0;
    free(copy);
    return writable;
}
