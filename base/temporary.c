#include "base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"

#define SUFFIX ".tmp"
#define FOLDER "callsign"

void cs_temporary_name(const char *name, char temporary[NAME_MAX + 1])
{
    enum { KEPT = 160, NUMBERS = 1000000000 };
    struct cs_proc_place place = cs_proc_place("/proc");
    uint32_t number;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)
        number = (uint32_t)cs_clock_monotonic_ns(); /* O_EXCL protects files, too */
    snprintf(temporary, NAME_MAX + 1, "%.*s.%016" PRIx64 "-%" PRIu64 "-%ld-%u" SUFFIX, KEPT, name, place.boot,
             place.pid_namespace, (long)getpid(), (unsigned)(number % NUMBERS));
}

bool cs_temporary_parse(const char *text, struct cs_proc_place *place, pid_t *pid)
{
    int number, used = 0;
    return sscanf(text, "%16" SCNx64 "-%20" SCNu64 "-%9d-%9d%n", &place->boot, &place->pid_namespace, pid, &number,
                  &used) == 4 &&
           *pid > 0 && strcmp(text + used, SUFFIX) == 0;
}

bool cs_temporary_is_here(const struct cs_proc_place *place)
{
    struct cs_proc_place here = cs_proc_place("/proc");
    return here.boot && here.pid_namespace && place->boot == here.boot && place->pid_namespace == here.pid_namespace;
}

bool cs_temporary_is_gone(pid_t pid)
{
    return kill(pid, 0) != 0 && errno == ESRCH;
}

/* ---- folders ---- */

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status, (void)type, (void)where;
    return remove(path);
}

void cs_temporary_folder_remove(const char *path)
{
    enum { DESCRIPTORS = 16 };
    nftw(path, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

/* Nobody else can have changed a folder of ours that only we may write. */
static bool is_ours_alone(int parent, const char *name)
{
    struct stat about;
    return fstatat(parent, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(about.st_mode) &&
           about.st_uid == geteuid() && !(about.st_mode & (S_IRWXG | S_IRWXO));
}

static void remove_left(const char *parent)
{
    DIR *folder = opendir(parent);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        struct cs_proc_place place;
        pid_t pid;
        char path[PATH_MAX];
        if (strncmp(entry->d_name, FOLDER ".", strlen(FOLDER ".")) == 0 &&
            cs_temporary_parse(entry->d_name + strlen(FOLDER "."), &place, &pid) && cs_temporary_is_here(&place) &&
            cs_temporary_is_gone(pid) && is_ours_alone(dirfd(folder), entry->d_name) &&
            snprintf(path, sizeof path, "%s/%s", parent, entry->d_name) < PATH_MAX)
            cs_temporary_folder_remove(path);
    }
    if (folder)
        closedir(folder);
}

static bool make_folder(const char *parent, char path[PATH_MAX])
{
    enum { ATTEMPTS = 100 };
    char name[NAME_MAX + 1];
    remove_left(parent);
    for (unsigned i = 0; i < ATTEMPTS; i++) {
        cs_temporary_name(FOLDER, name);
        if (snprintf(path, PATH_MAX, "%s/%s", parent, name) >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return false;
        }
        if (mkdir(path, S_IRWXU) == 0)
            return true;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

bool cs_temporary_folder(char path[PATH_MAX])
{
    const char *wanted = getenv("TMPDIR");
    if (make_folder(wanted && *wanted ? wanted : "/tmp", path))
        return true;
    /* root's own folder, while root reads the run of another user */
    return errno == EACCES && make_folder("/tmp", path);
}
