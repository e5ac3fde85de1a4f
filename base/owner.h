/* Whose files those of a run are. A trace has the owner, group and mode of the journal that it comes from, and keeps
   them when it is written anew. Who may not give it these writes elsewhere, or not at all. */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

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
