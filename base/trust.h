/* Which files and folders other users cannot change. */
#pragma once

#include <stdbool.h>
#include <sys/stat.h>

/* Why others can change this file or folder: they may write it. NULL: only its owner, and root, can. A group that only
   has its owner, as on Debian and others by default, is no other user; nor is root's group. With the sticky bit,
   nobody can change what others have in a folder. */
const char *cs_trust_others_write(const struct stat *about);

/* True if this user or root owns each part of the path, without symbolic links, and no other can change one. False if
   there is no such file. */
bool cs_trust_path(const char *path);
