/* Files: the kind of their file system, their owner, and how they survive a power failure. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

enum cs_file_system {
    CS_FILE_SYSTEM_OTHER,  /* stacked on another one, or unknown */
    CS_FILE_SYSTEM_SHARED, /* shared by machines: locks may be missing, or may wait for a server */
    CS_FILE_SYSTEM_DISK,   /* local: every process that opens the file here sees the same locks */
    CS_FILE_SYSTEM_MEMORY, /* local and in memory: its files are lost at a reboot */
};

/* The kind of file system that an open file or folder is on. */
enum cs_file_system cs_file_system_of(int fd);

/* The same for a path; OTHER if it cannot be opened. */
enum cs_file_system cs_file_system_at(const char *path);

/* The kind of the file system with this number (f_type of statfs). */
enum cs_file_system cs_file_system_by_magic(unsigned long magic);

/* True if all processes of this machine that open the file see its locks. */
static inline bool cs_file_system_is_local(enum cs_file_system kind)
{
    return kind == CS_FILE_SYSTEM_DISK || kind == CS_FILE_SYSTEM_MEMORY;
}

/* When the content of a file was changed, in ns since 1970-01-01 UTC. */
static inline int64_t cs_file_changed_ns(const struct stat *about)
{
    return (int64_t)about->st_mtim.tv_sec * 1000000000 + about->st_mtim.tv_nsec;
}

/* ---- durable ---- */

/* These functions make files survive a power failure. They do nothing on file systems in memory. */

/* Waits until the content of an open file is on the disk. Returns false if it cannot be written; errno has the
   cause. */
bool cs_sync_file(int fd);

/* Waits until a new file or a rename is on the disk. Some file systems cannot do this; that is no error. */
void cs_sync_name(const char *path);

/* The same if the file `other` is removed next. Does not wait if the file system keeps this order by itself. */
void cs_sync_name_before(const char *path, const char *other);

/* ---- renaming a file without replacing another ---- */

/* Returns false with the cause in errno: EEXIST if `to` exists. */
bool cs_rename_without_replacing(const char *from, const char *to);
bool cs_rename_without_replacing_at(int folder, const char *from, const char *to);

/* ---- owner ---- */

/* Owners of a run's files. A trace gets the owner, group and mode of its journal, and keeps them when it is
   rewritten. A user who may not give it these writes elsewhere or not at all. */

/* The identity to return to. */
struct cs_owner {
    uid_t user;
    gid_t group;
};

/* The identity that this thread accesses files with. */
struct cs_owner cs_owner_current(void);

/* True if cs_owner_begin will succeed: the file is ours, or we are root. */
bool cs_owner_may(const struct stat *of);

/* From now on this thread accesses files as the owner of the file: new files belong to that owner. A link or folder
   that the owner puts in the way cannot lead root to a place where the owner may not write. Nothing changes if the
   file is ours. Returns false with EPERM if the file is somebody else's and we are not root. */
bool cs_owner_begin(const struct stat *of, struct cs_owner *before);

/* Returns to the identity before cs_owner_begin. */
void cs_owner_end(const struct cs_owner *before);

/* The permissions that a copy of the file may have in this group: in another one, the group is like all users. */
mode_t cs_mode_for_group(const struct stat *of, gid_t group);

/* Gives a new file of the same owner the group and mode of another file. Returns false with the cause in errno. */
bool cs_owner_give(int fd, const struct stat *like);
