#include "base/file_system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/path.h"

/* ---- file system ---- */

/* Numbers from linux/magic.h or from the sources of file systems outside the kernel. overlayfs is missing on
   purpose: its locks are not visible to processes that open the file in the lower layer. */
static const struct {
    unsigned long magic;
    enum cs_file_system kind;
} known[] = {
    {0xef53, CS_FILE_SYSTEM_DISK},       /* ext2, ext3, ext4 */
    {0x58465342, CS_FILE_SYSTEM_DISK},   /* XFS */
    {0x9123683e, CS_FILE_SYSTEM_DISK},   /* Btrfs */
    {0xf2f52010, CS_FILE_SYSTEM_DISK},   /* F2FS */
    {0x2fc12fc1, CS_FILE_SYSTEM_DISK},   /* ZFS */
    {0xca451a4e, CS_FILE_SYSTEM_DISK},   /* bcachefs */
    {0x3153464a, CS_FILE_SYSTEM_DISK},   /* JFS */
    {0x01021994, CS_FILE_SYSTEM_MEMORY}, /* tmpfs */
    {0x858458f6, CS_FILE_SYSTEM_MEMORY}, /* ramfs */
    {0x0bd00bd0, CS_FILE_SYSTEM_SHARED}, /* Lustre */
    {0x47504653, CS_FILE_SYSTEM_SHARED}, /* GPFS */
    {0x19830326, CS_FILE_SYSTEM_SHARED}, /* BeeGFS */
    {0x6969, CS_FILE_SYSTEM_SHARED},     /* NFS */
    {0xaad7aaea, CS_FILE_SYSTEM_SHARED}, /* PanFS */
    {0x20030528, CS_FILE_SYSTEM_SHARED}, /* OrangeFS */
    {0x00c36400, CS_FILE_SYSTEM_SHARED}, /* Ceph */
};

enum cs_file_system cs_file_system_by_magic(unsigned long magic)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if ((magic & 0xffffffff) == known[i].magic)
            return known[i].kind;
    return CS_FILE_SYSTEM_OTHER;
}

enum cs_file_system cs_file_system_of(int fd)
{
    struct statfs about;
    return fstatfs(fd, &about) == 0 ? cs_file_system_by_magic((unsigned long)about.f_type) : CS_FILE_SYSTEM_OTHER;
}

enum cs_file_system cs_file_system_at(const char *path)
{
    struct statfs about;
    return statfs(path, &about) == 0 ? cs_file_system_by_magic((unsigned long)about.f_type) : CS_FILE_SYSTEM_OTHER;
}

/* ---- durable ---- */

bool cs_sync_file(int fd)
{
    if (cs_file_system_of(fd) == CS_FILE_SYSTEM_MEMORY)
        return true;
    int result;
    while ((result = fsync(fd)) != 0 && errno == EINTR)
        ;
    return result == 0 || errno == EINVAL; /* EINVAL: the file system cannot sync */
}

void cs_sync_name(const char *path)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s%s", strchr(path, '/') ? "" : "./", path);
    cs_path_to_folder(folder);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    cs_sync_file(fd);
    close(fd);
}

/* The kernel writes the names of a folder in the order of their changes: where the other file is gone, the new name is
   there. btrfs and file systems of several machines may order them in other ways. */
static bool is_ordered(const char *path, const char *other)
{
    static const unsigned long ordered[] = {0xef53 /* ext3, ext4 */, 0x58465342 /* XFS */};
    const size_t folder = (size_t)(cs_path_name(path) - path);
    struct stat about;
    struct statfs system;
    if (folder != (size_t)(cs_path_name(other) - other) || strncmp(path, other, folder) != 0 ||
        lstat(other, &about) != 0 || !S_ISREG(about.st_mode) || statfs(path, &system) != 0)
        return false;
    for (size_t i = 0; i < sizeof ordered / sizeof *ordered; i++)
        if (((unsigned long)system.f_type & 0xffffffff) == ordered[i])
            return true;
    return false;
}

void cs_sync_name_before(const char *path, const char *other)
{
    if (!is_ordered(path, other))
        cs_sync_name(path);
}

bool cs_rename_without_replacing_at(int folder, const char *from, const char *to)
{
    if (renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    /* File systems without RENAME_NOREPLACE (NFS): a hard link does not replace a file either. */
    if (linkat(folder, from, folder, to, 0) != 0)
        return false;
    unlinkat(folder, from, 0);
    return true;
}

bool cs_rename_without_replacing(const char *from, const char *to)
{
    return cs_rename_without_replacing_at(AT_FDCWD, from, to);
}

/* ---- owner ---- */

#define PERMISSIONS 0777u

bool cs_owner_may(const struct stat *of)
{
    return of->st_uid == geteuid() || geteuid() == 0;
}

/* Changes only the identity for file access. The process stays root's, so other users cannot send it signals. File
   access loses root's privileges. Neither call reports errors: a call with an invalid id returns the current one. */
static bool act_as(uid_t user, gid_t group)
{
    setfsuid(geteuid()); /* setfsgid needs root's privileges */
    setfsgid(group);
    setfsuid(user);
    return (uid_t)setfsuid((uid_t)-1) == user && (gid_t)setfsgid((gid_t)-1) == group;
}

static bool act_again_as(uid_t user, gid_t group)
{
    setfsuid(user); /* first: setfsgid needs root's privileges */
    setfsgid(group);
    return (uid_t)setfsuid((uid_t)-1) == user && (gid_t)setfsgid((gid_t)-1) == group;
}

struct cs_owner cs_owner_current(void)
{
    return (struct cs_owner){.user = (uid_t)setfsuid((uid_t)-1), .group = (gid_t)setfsgid((gid_t)-1)};
}

bool cs_owner_begin(const struct stat *of, struct cs_owner *before)
{
    *before = cs_owner_current();
    if (of->st_uid == before->user)
        return true;
    if (geteuid() == 0 && act_as(of->st_uid, of->st_gid))
        return true;
    cs_owner_end(before);
    errno = EPERM;
    return false;
}

void cs_owner_end(const struct cs_owner *before)
{
    int error = errno;
    act_again_as(before->user, before->group);
    errno = error;
}

mode_t cs_mode_for_group(const struct stat *of, gid_t group)
{
    if (of->st_gid == group)
        return of->st_mode;
    return (of->st_mode & ~(mode_t)S_IRWXG) | (of->st_mode & S_IRWXO) << 3;
}

bool cs_owner_give(int fd, const struct stat *like)
{
    struct stat about;
    if (fstat(fd, &about) != 0)
        return false;
    if (about.st_uid != like->st_uid) {
        errno = EPERM;
        return false;
    }
    if (about.st_gid != like->st_gid && fchown(fd, (uid_t)-1, like->st_gid) != 0)
        return false;
    return ((about.st_mode ^ like->st_mode) & PERMISSIONS) == 0 || fchmod(fd, like->st_mode & PERMISSIONS) == 0;
}
