#include "journal/node_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/log.h"
#include "base/path.h"
#include "journal/run_files.h"

#define PREFIX   "node-"
#define SUFFIX   ".journals"
#define ON_NODE  "callsign-" /* begin of a folder's name on storage of the node */
#define ATTEMPTS 8

/* ---- names ---- */

void cs_node_name(char name[CS_NODE_NAME_BYTES])
{
    char host[_POSIX_HOST_NAME_MAX + 1] = "";
    if (gethostname(host, sizeof host - 1) != 0 || !*host)
        strcpy(host, "node");
    size_t length = 0;
    for (; host[length] && length < CS_NODE_NAME_BYTES - 1; length++) {
        char c = host[length];
        name[length] = cs_ascii_is_alnum(c) || strchr("._-", c) ? c : '_';
    }
    name[length] = '\0';
}

/* Returns false if the path is too long. */
static bool name_folder(const char *run, const char *node, char path[PATH_MAX])
{
    return snprintf(path, PATH_MAX, "%s/" PREFIX "%s" SUFFIX, run, node) < PATH_MAX;
}

bool cs_node_name_of_trace(const char *node_folder, unsigned number, char path[PATH_MAX])
{
    char again[16] = "";
    if (number > 1)
        snprintf(again, sizeof again, ".%u", number);
    size_t length = strlen(node_folder) - strlen(SUFFIX);
    return snprintf(path, PATH_MAX, "%.*s%s" CS_RUN_TRACE_SUFFIX, (int)length, node_folder, again) < PATH_MAX;
}

static bool is_named(const char *name, const char *suffix)
{
    return strncmp(name, PREFIX, strlen(PREFIX)) == 0 && strlen(name) > strlen(PREFIX) + strlen(suffix) &&
           cs_path_ends(name, suffix);
}

bool cs_node_name_is_folder(const char *name)
{
    return is_named(name, SUFFIX);
}

bool cs_node_name_is_trace(const char *name)
{
    return is_named(name, CS_RUN_TRACE_SUFFIX);
}

/* ---- the folder ---- */

/* /dev/shm comes last, because it takes memory from the program. */
const char *cs_node_storage(enum cs_file_system run)
{
    const char *const places[] = {secure_getenv("TMPDIR"), "/tmp", "/dev/shm"};
    for (size_t i = 0; run == CS_FILE_SYSTEM_SHARED && i < sizeof places / sizeof *places; i++)
        if (places[i] && places[i][0] == '/' && cs_file_system_is_local(cs_file_system_at(places[i])) &&
            access(places[i], W_OK | X_OK) == 0)
            return places[i];
    return NULL;
}

/* Checks the folder itself, not what a link leads to. */
static bool is_own_folder(const char *path)
{
    struct stat about;
    if (lstat(path, &about) != 0)
        return false;
    if (S_ISDIR(about.st_mode) && about.st_uid == geteuid())
        return true;
    errno = S_ISDIR(about.st_mode) ? EPERM : ENOTDIR;
    return false;
}

static bool make(const char *path)
{
    return (mkdir(path, 0777) == 0 || errno == EEXIST) && is_own_folder(path);
}

static bool make_link(const char *storage, const char *node, uint64_t run_hash, const char *path)
{
    char real[PATH_MAX], folder[PATH_MAX];
    if (!realpath(storage, real))
        return false;
    if (snprintf(folder, sizeof folder, "%s/" ON_NODE "%016" PRIx64 "-%s" SUFFIX, real, run_hash, node) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    return make(folder) && (symlink(folder, path) == 0 || errno == EEXIST);
}

bool cs_node_folder_make(const char *run, const char *storage, uint64_t run_hash, char path[PATH_MAX])
{
    char node[CS_NODE_NAME_BYTES];
    struct stat about;
    cs_node_name(node);
    if (!name_folder(run, node, path)) {
        errno = ENAMETOOLONG;
        return false;
    }
    /* The last rank of an earlier program may remove it at the same time. */
    for (int i = 0; i < ATTEMPTS; i++) {
        if (storage ? !make_link(storage, node, run_hash, path) : mkdir(path, 0777) != 0 && errno != EEXIST)
            return false;
        if (stat(path, &about) == 0)
            return cs_node_folder_is_ours(path);
    }
    return false;
}

/* The target of a link that callsign may have made. Returns false for other links and for no link. */
static bool read_link(const char *path, char target[PATH_MAX])
{
    ssize_t length = readlink(path, target, PATH_MAX - 1);
    if (length <= 0 || target[0] != '/')
        return false;
    target[length] = '\0';
    const char *name = cs_path_name(target);
    return strncmp(name, ON_NODE, strlen(ON_NODE)) == 0 && cs_path_ends(name, SUFFIX);
}

bool cs_node_folder_is_ours(const char *path)
{
    char target[PATH_MAX];
    struct stat link, folder;
    if (lstat(path, &link) != 0)
        return false;
    if (S_ISDIR(link.st_mode))
        return true;
    if (read_link(path, target) && lstat(target, &folder) == 0 && S_ISDIR(folder.st_mode) &&
        folder.st_uid == link.st_uid)
        return true;
    errno = EPERM;
    return false;
}

bool cs_node_folder_is_missing(const char *path)
{
    char target[PATH_MAX];
    struct stat about;
    if (!read_link(path, target) || lstat(target, &about) == 0 || errno != ENOENT)
        return false;
    const char *name = cs_path_name(path) + strlen(PREFIX);
    cs_log("the journals of node %.*s are on that node, in %s: run `callsign convert` there",
           (int)(strlen(name) - strlen(SUFFIX)), name, target);
    return true;
}

/* A lock of the folder itself: no file is left over. On a shared file system it could wait for a server. */
enum cs_node_lock cs_node_folder_lock(const char *path, int *fd)
{
    *fd = cs_node_folder_is_ours(path) ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (*fd < 0 || cs_file_system_of(*fd) == CS_FILE_SYSTEM_SHARED)
        return CS_NODE_LOCK_NONE;
    if (flock(*fd, LOCK_EX | LOCK_NB) == 0)
        return CS_NODE_LOCK_OURS;
    return errno == EWOULDBLOCK ? CS_NODE_LOCK_OTHERS : CS_NODE_LOCK_NONE;
}

/* Unlocks also for children that were forked meanwhile. */
void cs_node_folder_unlock(int fd)
{
    if (fd < 0)
        return;
    flock(fd, LOCK_UN);
    close(fd);
}

enum cs_node_lock cs_node_journal_lock(const char *journal, int *fd)
{
    char folder[PATH_MAX];
    *fd = -1;
    if ((size_t)snprintf(folder, sizeof folder, "%s", journal) >= sizeof folder)
        return CS_NODE_LOCK_NONE;
    cs_path_to_folder(folder);
    return cs_node_name_is_folder(cs_path_name(folder)) ? cs_node_folder_lock(folder, fd) : CS_NODE_LOCK_NONE;
}

void cs_node_folder_remove(const char *path)
{
    char target[PATH_MAX];
    if (!read_link(path, target))
        rmdir(path);
    else if (rmdir(target) == 0 || errno == ENOENT)
        unlink(path);
}
