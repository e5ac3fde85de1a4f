#include "db/journal/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/owner.h"
#include "base/path.h"
#include "db/journal/run_names.h"

#define SUFFIX ".tmp"

enum { ATTEMPTS = 100 };

static void node_name(struct utsname *system)
{
    if (uname(system) != 0)
        system->nodename[0] = '\0';
}

int cs_temporary_create(const char *path, char *name)
{
    struct utsname system;
    node_name(&system);
    int fd = -1;
    for (unsigned i = 0; i < ATTEMPTS && fd < 0; i++) {
        int length = snprintf(name, PATH_MAX, "%s.%s-%ld-%u" SUFFIX, path, system.nodename, (long)getpid(), i);
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

/* Takes "-DIGITS" from the end of a text. */
static bool take_number(char *text, long *number)
{
    char *dash = strrchr(text, '-'), *end;
    if (!dash || dash[1] < '0' || dash[1] > '9')
        return false;
    errno = 0;
    *number = strtol(dash + 1, &end, 10);
    if (*end || errno)
        return false;
    *dash = '\0';
    return true;
}

/* Takes `what` from the end of a text. */
static bool take(char *text, const char *what)
{
    if (!cs_path_ends(text, what))
        return false;
    text[strlen(text) - strlen(what)] = '\0';
    return true;
}

/* The process that writes a file of this name; 0: it is another kind of name, or of another machine. */
static pid_t writer_of(const char *name)
{
    char text[NAME_MAX + 1];
    struct utsname system;
    long attempt, pid;
    bool ranked;
    const char *number;
    node_name(&system);
    if (strlen(name) >= sizeof text || !cs_run_name_begins(name, &ranked, &number))
        return 0;
    strcpy(text, name);
    bool ours = take(text, SUFFIX) && take_number(text, &attempt) && take_number(text, &pid) &&
                take(text, system.nodename) && (take(text, ".db.") || take(text, ".journal."));
    return ours && pid > 0 && pid <= INT_MAX ? (pid_t)pid : 0;
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
