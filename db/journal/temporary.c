#include "db/journal/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/owner.h"
#include "base/path.h"
#include "base/proc.h"
#include "db/journal/run_names.h"
#include "db/journal/writer_lock.h"

#define SUFFIX ".tmp"

enum { ATTEMPTS = 100, FRESH_SECONDS = 60 };

int cs_temporary_create(const char *path, char *name)
{
    struct cs_proc_place place = cs_proc_place("/proc");
    int fd = -1;
    for (unsigned i = 0; i < ATTEMPTS && fd < 0; i++) {
        int length = snprintf(name, PATH_MAX, "%s.%016" PRIx64 "-%" PRIu64 "-%ld-%u" SUFFIX, path, place.boot,
                              place.pid_namespace, (long)getpid(), i);
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

/* Understands "BOOT-NAMESPACE-PID-0.tmp". False: it is something else. */
static bool parse(const char *text, struct cs_proc_place *place, pid_t *pid)
{
    int attempt, used = 0;
    return sscanf(text, "%16" SCNx64 "-%20" SCNu64 "-%9d-%9d%n", &place->boot, &place->pid_namespace, pid, &attempt,
                  &used) == 4 &&
           *pid > 0 && strcmp(text + used, SUFFIX) == 0;
}

static bool is_here(const struct cs_proc_place *place)
{
    struct cs_proc_place here = cs_proc_place("/proc");
    return here.boot && here.pid_namespace && place->boot == here.boot && place->pid_namespace == here.pid_namespace;
}

/* The process that writes a file of this name; 0: it is another kind of name, or the number means nothing here. */
static pid_t writer_of(const char *name)
{
    bool ranked;
    const char *number, *end = strstr(name, ".db.");
    struct cs_proc_place place;
    pid_t pid;
    if (!end)
        end = strstr(name, ".journal.");
    if (!end || !cs_run_name_begins(name, &ranked, &number))
        return 0;
    return parse(strchr(end + 1, '.') + 1, &place, &pid) && is_here(&place) ? pid : 0;
}

/* Also false when the number went to another process: the file then stays. */
static bool is_gone(pid_t pid)
{
    return kill(pid, 0) != 0 && errno == ESRCH;
}

void cs_temporary_clear(int folder, const char *name)
{
    pid_t writer = writer_of(name);
    struct stat about;
    struct cs_owner before;
    if (!writer || !is_gone(writer) || fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0 ||
        !S_ISREG(about.st_mode) || !cs_owner_begin(&about, &before))
        return;
    unlinkat(folder, name, 0);
    cs_owner_end(&before);
}

/* By its lock, or where none can be seen by its process. A new file may not have its lock yet. */
static bool is_stale(int folder, const char *name, const struct cs_proc_place *place, pid_t pid)
{
    struct stat about;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool old = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_mtime + FRESH_SECONDS < time(NULL);
    enum cs_writer_lock lock = cs_writer_lock_look(fd);
    close(fd);
    if (lock == CS_WRITER_LOCK_UNKNOWN)
        return is_here(place) && is_gone(pid);
    return lock == CS_WRITER_LOCK_FREE && (old || (is_here(place) && is_gone(pid)));
}

void cs_temporary_clear_beside(const char *path)
{
    char parent[PATH_MAX];
    const char *name = cs_path_name(path);
    size_t length = strlen(name);
    snprintf(parent, sizeof parent, "%s%s", strchr(path, '/') ? "" : "./", path);
    cs_path_to_folder(parent);
    DIR *folder = opendir(parent);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        struct cs_proc_place place;
        pid_t pid;
        if (strncmp(entry->d_name, name, length) == 0 && entry->d_name[length] == '.' &&
            parse(entry->d_name + length + 1, &place, &pid) && is_stale(dirfd(folder), entry->d_name, &place, pid))
            unlinkat(dirfd(folder), entry->d_name, 0);
    }
    if (folder)
        closedir(folder);
}
