/* Files: what they lie on, whose they are, and how they outlive a power failure. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

enum cs_file_system {
    CS_FILE_SYSTEM_OTHER,  /* shared by machines, stacked on another one, or not known */
    CS_FILE_SYSTEM_DISK,   /* of this kernel alone: all who open the file here see the same locks */
    CS_FILE_SYSTEM_MEMORY, /* likewise, and nothing of it outlives the machine */
};

/* That of an open file or folder. */
enum cs_file_system cs_file_system_of(int fd);

/* ---- durable ---- */

/* What is to outlive a power failure. Nothing is done on file systems in memory. */

/* Waits until the content of an open file is on the disk. False: it cannot be written there; errno tells. */
bool cs_durable_content(int fd);

/* Waits until the name of a file, which was made or renamed, is on the disk. Some file systems cannot: no harm. */
void cs_durable_name(const char *path);

/* ---- renaming a file without replacing another ---- */

/* False: errno says why, EEXIST if there is one. */
bool cs_rename_new(const char *from, const char *to);

/* ---- folders for what is needed only now ---- */

/* Makes a new folder that only this user may read, in TMPDIR or /tmp. False: errno says why, and `path` has the name
 * that it was to have. */
bool cs_temporary_folder(char path[PATH_MAX]);

/* ---- owner ---- */

/* Whose files those of a run are. A trace has the owner, group and mode of the journal that it comes from, and keeps
   them when it is written anew. Who may not give it these writes elsewhere, or not at all. */

/* Who acted before. */
struct cs_owner {
    uid_t user;
    gid_t group;
};

/* Whether cs_owner_begin will not refuse: the file is ours, or we are root. */
bool cs_owner_may(const struct stat *of);

/* From now on this thread's access to files is that of the file's owner: new files are his, and whatever he puts in the
   way meanwhile, a link or another folder, makes root write nowhere that he could not himself. Nothing changes when the
   file is ours. False: it is somebody else's and we are not root; errno is EPERM. */
bool cs_owner_begin(const struct stat *of, struct cs_owner *before);

/* And back. */
void cs_owner_end(const struct cs_owner *before);

/* Gives a new file of the same owner the group and the mode of another. False: it cannot have them; errno tells. */
bool cs_owner_give(int fd, const struct stat *like);
