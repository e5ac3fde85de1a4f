#include "base/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/file_system.h"
#include "base/path.h"
#include "base/temporary.h"

/* ---- permissions ---- */

enum { ATTEMPTS = 100, PERMISSIONS = 0777 };

static struct stat read_files = {.st_mode = PERMISSIONS}; /* permissions and group of them all */
static bool any_read;

void cs_output_narrow(const struct stat *read)
{
    if (!any_read)
        read_files.st_gid = read->st_gid;
    any_read = true;
    read_files.st_mode &= cs_mode_for_group(read, read_files.st_gid);
}

mode_t cs_output_mode(mode_t mode, gid_t group)
{
    return mode & (cs_mode_for_group(&read_files, group) | S_IRUSR | S_IWUSR); /* its owner wrote it */
}

/* ---- opening ---- */

/* Sets folder and name. */
static bool open_folder(struct cs_output *output, const char *path)
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    if (strlen(path) >= PATH_MAX || strlen(name) >= sizeof output->name) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        errno = EISDIR;
        return false;
    }
    strcpy(output->name, name);
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", name > path ? (int)(name - path) : 1, name > path ? path : ".");
    output->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return output->folder >= 0 && fstat(output->folder, &output->parent) == 0;
}

/* ---- outputs that are no files ---- */

/* The number of the descriptor that /dev/stdout, /dev/fd/5 or a link to them stands for; -1: none. */
static int descriptor_of(const char *path, const struct cs_output *output)
{
    static const char own[] = "/proc/self/fd/";
    char target[PATH_MAX], *end;
    struct statfs about;
    const char *number = output->name;
    ssize_t length = readlink(path, target, sizeof target - 1);
    bool proc = fstatfs(output->folder, &about) == 0 && about.f_type == PROC_SUPER_MAGIC;
    if (!proc && length > 0) {
        target[length] = '\0';
        proc = strncmp(target, own, sizeof own - 1) == 0;
        number = target + sizeof own - 1;
    }
    long descriptor = proc ? strtol(number, &end, 10) : -1;
    return proc && *number && !*end && descriptor <= INT_MAX ? (int)descriptor : -1;
}

/* A pipe or device of ours or the system's: waiting for a stranger's pipe would not end. */
static bool is_direct(const struct stat *about)
{
    return !S_ISREG(about->st_mode) && !S_ISDIR(about->st_mode) && (about->st_uid == geteuid() || about->st_uid == 0);
}

/* Returns a descriptor; -1: it is an ordinary file; -2: it cannot be opened. */
static int open_direct(const char *path, const struct cs_output *output)
{
    struct stat about;
    int number = descriptor_of(path, output);
    if (number >= 0) {
        number = fcntl(number, F_DUPFD_CLOEXEC, 0);
        return number >= 0 ? number : -2;
    }
    if (stat(path, &about) != 0 || !is_direct(&about))
        return -1;
    int fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &about) == 0 && is_direct(&about))
        return fd;
    if (fd >= 0) {
        close(fd);
        errno = ESTALE;
    }
    return -2;
}

/* ---- files ---- */

/* In a folder with the sticky bit, such as /tmp, everybody owns the own files. */
static bool act(const struct cs_output *output, struct cs_owner *before)
{
    const struct stat *parent = &output->parent;
    struct stat self = {.st_uid = geteuid(), .st_gid = getegid()};
    bool own = parent->st_mode & S_ISVTX || !cs_owner_may(parent);
    return cs_owner_begin(own ? &self : parent, before);
}

/* The permissions for a new file. One that it replaces has the same content for the same readers. */
static mode_t choose_mode(const struct cs_output *output, const struct stat *created)
{
    struct stat old;
    mode_t mode = 0666, mask = umask(0);
    umask(mask);
    mode &= ~mask;
    if (fstatat(output->folder, output->name, &old, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(old.st_mode) &&
        old.st_uid == created->st_uid)
        mode = old.st_mode & 0666;
    return cs_output_mode(mode, created->st_gid);
}

/* Returns a descriptor; -1: errno has the cause. */
static int create(struct cs_output *output)
{
    struct stat about;
    int fd = -1;
    if (output->kind == CS_OUTPUT_NEW && fstatat(output->folder, output->name, &about, AT_SYMLINK_NOFOLLOW) == 0) {
        errno = EEXIST;
        return -1;
    }
    for (int i = 0; i < ATTEMPTS && fd < 0; i++) {
        cs_temporary_name(output->name, output->temporary);
        fd = openat(output->folder, output->temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd >= 0 && fstat(fd, &about) == 0 && fchmod(fd, choose_mode(output, &about)) == 0)
        return fd;
    int error = errno;
    if (fd >= 0) {
        unlinkat(output->folder, output->temporary, 0);
        close(fd);
    }
    errno = error;
    return -1;
}

static int create_as_owner(struct cs_output *output)
{
    struct cs_owner before;
    if (!act(output, &before))
        return -1;
    int fd = create(output);
    cs_owner_end(&before);
    return fd;
}

static void close_folder(struct cs_output *output)
{
    int error = errno;
    if (output->folder >= 0)
        close(output->folder);
    output->folder = -1;
    errno = error;
}

bool cs_output_open(struct cs_output *output, const char *path, enum cs_output_kind kind, const struct stat *folder)
{
    *output = (struct cs_output){.kind = kind, .folder = -1};
    int fd = -1;
    bool found = open_folder(output, path);
    if (found && folder && (folder->st_dev != output->parent.st_dev || folder->st_ino != output->parent.st_ino)) {
        errno = ESTALE;
        found = false;
    }
    if (found && kind == CS_OUTPUT_NAMED)
        fd = open_direct(path, output);
    if (fd >= 0)
        close_folder(output);
    else if (found && fd == -1)
        fd = create_as_owner(output);
    output->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (fd >= 0 && !output->stream)
        close(fd);
    if (!output->stream)
        close_folder(output);
    return output->stream;
}

/* Renames or removes the file. */
static bool end(struct cs_output *output, bool keep)
{
    struct cs_owner before;
    bool done = output->folder < 0 || act(output, &before);
    if (done && output->folder >= 0) {
        if (keep && output->kind == CS_OUTPUT_NEW)
            done = cs_rename_without_replacing_at(output->folder, output->temporary, output->name);
        else if (keep)
            done = renameat(output->folder, output->temporary, output->folder, output->name) == 0;
        int error = errno;
        if (!keep || !done)
            unlinkat(output->folder, output->temporary, 0);
        errno = error;
        cs_owner_end(&before);
    }
    close_folder(output);
    return done;
}

bool cs_output_commit(struct cs_output *output)
{
    errno = 0;
    struct stat about; /* more files may have been read since it was opened */
    bool written = output->folder < 0 ||
                   (fstat(fileno(output->stream), &about) == 0 &&
                    fchmod(fileno(output->stream), cs_output_mode(about.st_mode & PERMISSIONS, about.st_gid)) == 0);
    written = written && fflush(output->stream) == 0 && !ferror(output->stream);
    int error = errno ? errno : EIO;
    written = fclose(output->stream) == 0 && written;
    output->stream = NULL;
    if (written)
        return end(output, true);
    end(output, false);
    errno = error;
    return false;
}

void cs_output_abandon(struct cs_output *output)
{
    if (!output->stream)
        return;
    fclose(output->stream);
    output->stream = NULL;
    end(output, false);
}
