#include "db/journal/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/owner.h"
#include "base/proc.h"
#include "db/journal/run_names.h"

#define SUFFIX ".tmp"

enum { ATTEMPTS = 100 };

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

/* The process that writes a file of this name; 0: it is another kind of name, or the number means nothing here. */
static pid_t writer_of(const char *name)
{
    struct cs_proc_place place = cs_proc_place("/proc");
    char here[64];
    bool ranked;
    const char *number, *end = strstr(name, ".db.");
    if (!place.boot || !place.pid_namespace || !cs_run_name_begins(name, &ranked, &number))
        return 0;
    if (!end)
        end = strstr(name, ".journal.");
    if (!end)
        return 0;
    end = strchr(end + 1, '.') + 1;
    size_t length = (size_t)snprintf(here, sizeof here, "%016" PRIx64 "-%" PRIu64 "-", place.boot, place.pid_namespace);
    int pid, attempt, used = 0;
    if (strncmp(end, here, length) != 0 || end[length] < '0' || end[length] > '9' ||
        sscanf(end + length, "%9d-%9d%n", &pid, &attempt, &used) != 2)
        return 0;
    return strcmp(end + length + used, SUFFIX) == 0 ? pid : 0;
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
