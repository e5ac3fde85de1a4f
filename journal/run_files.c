#include "journal/run_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/file_system.h"
#include "base/log.h"
#include "base/path.h"
#include "base/proc.h"
#include "base/temporary.h"
#include "journal/format.h"
#include "journal/node_folder.h"

static const char of_rank[] = "rank-", of_process[] = "process-";

bool cs_run_name_of_rank(const char *folder, int rank, const char *suffix, char path[PATH_MAX])
{
    return snprintf(path, PATH_MAX, "%s/%s%05d%s", folder, of_rank, rank, suffix) < PATH_MAX;
}

bool cs_run_name_of_process(const char *folder, char path[PATH_MAX])
{
    char node[_POSIX_HOST_NAME_MAX + 1] = "";
    gethostname(node, sizeof node - 1);
    return snprintf(path, PATH_MAX, "%s/%s%s-%d" CS_RUN_JOURNAL_SUFFIX, folder, of_process, node, (int)getpid()) <
           PATH_MAX;
}

/* The length of the path of the folder that gets the trace, with its slash; 0: the current folder. */
static size_t run_length(const char *journal)
{
    char folder[PATH_MAX];
    size_t length = (size_t)(cs_path_name(journal) - journal);
    if (length < 2 || length > sizeof folder)
        return length;
    snprintf(folder, sizeof folder, "%.*s", (int)length - 1, journal);
    const char *name = cs_path_name(folder);
    return cs_node_name_is_folder(name) ? (size_t)(name - folder) : length;
}

bool cs_run_name_of_trace(const char *journal, char trace[PATH_MAX])
{
    const char *name = cs_path_name(journal);
    size_t length = strlen(name);
    if (cs_path_ends(name, CS_RUN_JOURNAL_SUFFIX))
        length -= strlen(CS_RUN_JOURNAL_SUFFIX);
    return snprintf(trace, PATH_MAX, "%.*s%.*s" CS_RUN_TRACE_SUFFIX, (int)run_length(journal), journal, (int)length,
                    name) < PATH_MAX;
}

bool cs_run_name_begins(const char *name, bool *ranked, const char **number)
{
    *ranked = strncmp(name, of_rank, strlen(of_rank)) == 0;
    if (*ranked)
        *number = name + strlen(of_rank);
    else if (strncmp(name, of_process, strlen(of_process)) == 0)
        *number = strrchr(name, '-') + 1; /* a node's name may contain a - too */
    else
        return false;
    return true;
}

static const char begin[] = "callsign-";

bool cs_node_local_name(const char *folder, uint64_t run_hash, unsigned attempt, char file[PATH_MAX])
{
    struct utsname system;
    char again[16] = "";
    if (attempt > 0)
        snprintf(again, sizeof again, "-%u", attempt + 1);
    const char *node = uname(&system) == 0 ? system.nodename : "node";
    return snprintf(file, PATH_MAX, "%s/%s%016llx-%s-%d%s" CS_RUN_JOURNAL_SUFFIX, folder, begin,
                    (unsigned long long)run_hash, node, (int)getpid(), again) < PATH_MAX;
}

/* Only absolute paths and names as above: other links are not callsign's. */
const char *cs_node_local_resolve(const char *path, char file[PATH_MAX])
{
    ssize_t length = readlink(path, file, PATH_MAX - 1);
    if (length <= 0 || file[0] != '/')
        return path;
    file[length] = 0;
    const char *name = cs_path_name(file);
    return strncmp(name, begin, strlen(begin)) == 0 && cs_path_ends(name, CS_RUN_JOURNAL_SUFFIX) ? file : path;
}

bool cs_node_local_is_elsewhere(const char *path, char node[NAME_MAX + 1])
{
    enum { HASH = 17 }; /* characters of the run's hash, with its - */
    char file[PATH_MAX];
    if (cs_node_local_resolve(path, file) == path || access(file, F_OK) == 0 || errno != ENOENT)
        return false;
    const char *name = cs_path_name(file) + strlen(begin);
    const char *end = strrchr(name, '-'); /* before the process, or before a further attempt */
    size_t skip = strlen(name) > HASH ? HASH : 0;
    snprintf(node, NAME_MAX + 1, "%.*s", end && end > name + skip ? (int)(end - name - (ptrdiff_t)skip) : 0,
             name + skip);
    return true;
}

bool cs_node_local_is_owners(const char *path, const struct stat *file)
{
    struct stat link;
    return lstat(path, &link) == 0 && link.st_uid == file->st_uid;
}

void cs_node_local_log_missing(const char *path, const char *file)
{
    cs_log("%s is on the node that wrote it, in %s: run `callsign convert` there", path, file);
}

/* Far from the bytes that SQLite locks. */
static struct flock first_byte(void)
{
    return (struct flock){.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
}

/* A lock of an open file description lives as long as something refers to it, and a mapping does so like a
   descriptor. So no descriptor stays open that the program could close or count. The kernel does not pass the
   mapping to children (MADV_DONTFORK), however they are made, and exec ends it. */
static void *map(int fd)
{
    struct flock lock = first_byte();
    if (!cs_file_system_is_local(cs_file_system_of(fd)) || fcntl(fd, F_OFD_SETLK, &lock) != 0)
        return NULL;
    void *page = mmap(NULL, CS_JOURNAL_PAGE, PROT_NONE, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED)
        return NULL;
    if (madvise(page, CS_JOURNAL_PAGE, MADV_DONTFORK) == 0)
        return page;
    munmap(page, CS_JOURNAL_PAGE);
    return NULL;
}

void *cs_writer_lock_acquire(int fd)
{
    if (fd < 0)
        return NULL;
    void *page = map(fd);
    close(fd);
    return page;
}

void cs_writer_lock_release(void *lock)
{
    if (lock)
        munmap(lock, CS_JOURNAL_PAGE);
}

enum cs_writer_lock cs_writer_lock_query(int fd)
{
    struct flock lock = first_byte();
    if (!cs_file_system_is_local(cs_file_system_of(fd)) || fcntl(fd, F_OFD_GETLK, &lock) != 0)
        return CS_WRITER_LOCK_UNKNOWN;
    return lock.l_type == F_UNLCK ? CS_WRITER_LOCK_FREE : CS_WRITER_LOCK_HELD;
}

enum { ATTEMPTS = 100, FRESH_SECONDS = 60 };

int cs_temporary_create(const char *path, char *name)
{
    char temporary[NAME_MAX + 1];
    int folder = (int)(cs_path_name(path) - path), fd = -1;
    for (unsigned i = 0; i < ATTEMPTS && fd < 0; i++) {
        cs_temporary_name(cs_path_name(path), temporary);
        int length = snprintf(name, PATH_MAX, "%.*s%s", folder, path, temporary);
        if (length < 0 || length >= PATH_MAX) {
            errno = ENAMETOOLONG;
            break;
        }
        fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd < 0)
        name[0] = '\0';
    return fd;
}

/* The process that writes a file with this name; 0: another kind of name, or the number has no meaning here. */
static pid_t writer_of(const char *name)
{
    bool ranked;
    const char *number, *end = strstr(name, ".db.");
    bool of_node = strncmp(name, "node-", strlen("node-")) == 0;
    struct cs_proc_place place;
    pid_t pid;
    if (!end)
        end = strstr(name, ".journal.");
    if (!end || (!of_node && !cs_run_name_begins(name, &ranked, &number)))
        return 0;
    return cs_temporary_parse(strchr(end + 1, '.') + 1, &place, &pid) && cs_temporary_is_here(&place) ? pid : 0;
}

void cs_temporary_clear(int folder, const char *name)
{
    pid_t writer = writer_of(name);
    struct stat about;
    struct cs_owner before;
    if (!writer || !cs_temporary_is_gone(writer) || fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(about.st_mode) || !cs_owner_begin(&about, &before))
        return;
    unlinkat(folder, name, 0);
    cs_owner_end(&before);
}

/* Checks its lock; if locks are not visible, its process. A new file may not be locked yet. */
static bool is_stale(int folder, const char *name, const struct cs_proc_place *place, pid_t pid)
{
    struct stat about;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool old = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_mtime + FRESH_SECONDS < time(NULL);
    enum cs_writer_lock lock = cs_writer_lock_query(fd);
    close(fd);
    if (lock == CS_WRITER_LOCK_UNKNOWN)
        return cs_temporary_is_here(place) && cs_temporary_is_gone(pid);
    return lock == CS_WRITER_LOCK_FREE && (old || (cs_temporary_is_here(place) && cs_temporary_is_gone(pid)));
}

static void folder_of(const char *path, char folder[PATH_MAX])
{
    snprintf(folder, PATH_MAX, "%s%s", strchr(path, '/') ? "" : "./", path);
    cs_path_to_folder(folder);
}

/* Calls visit() for each temporary file of the future `path` until it returns true. Returns whether it did. */
static bool each_beside(const char *path,
                        bool (*visit)(int folder, const char *name, const struct cs_proc_place *, pid_t))
{
    char parent[PATH_MAX];
    const char *name = cs_path_name(path);
    size_t length = strlen(name);
    bool ended = false;
    folder_of(path, parent);
    DIR *folder = opendir(parent);
    for (const struct dirent *entry; folder && !ended && (entry = readdir(folder));) {
        struct cs_proc_place place;
        pid_t pid;
        if (strncmp(entry->d_name, name, length) == 0 && entry->d_name[length] == '.' &&
            cs_temporary_parse(entry->d_name + length + 1, &place, &pid))
            ended = visit(dirfd(folder), entry->d_name, &place, pid);
    }
    if (folder)
        closedir(folder);
    return ended;
}

static bool clear_stale(int folder, const char *name, const struct cs_proc_place *place, pid_t pid)
{
    if (is_stale(folder, name, place, pid))
        unlinkat(folder, name, 0);
    return false;
}

void cs_temporary_clear_beside(const char *path)
{
    each_beside(path, clear_stale);
}

static bool is_written(int folder, const char *name, const struct cs_proc_place *place, pid_t pid)
{
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    enum cs_writer_lock lock = cs_writer_lock_query(fd);
    close(fd);
    return lock == CS_WRITER_LOCK_HELD ||
           (lock == CS_WRITER_LOCK_UNKNOWN && cs_temporary_is_here(place) && !cs_temporary_is_gone(pid));
}

bool cs_temporary_is_written(const char *path)
{
    return each_beside(path, is_written);
}

int cs_temporary_create_locked(const char *path, bool alone, char *name, void **lock)
{
    char parent[PATH_MAX];
    folder_of(path, parent);
    int folder = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC), file = -1;
    if (folder >= 0)
        flock(folder, LOCK_EX); /* where that fails, two that begin at once do not see each other */
    cs_temporary_clear_beside(path);
    if (alone && cs_temporary_is_written(path)) {
        *name = '\0';
        errno = EBUSY;
    } else {
        file = cs_temporary_create(path, name);
    }
    int error = errno;
    *lock = file < 0 ? NULL : cs_writer_lock_acquire(dup(file));
    if (folder >= 0)
        close(folder);
    errno = error;
    return file;
}
