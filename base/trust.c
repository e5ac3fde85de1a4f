#include "base/trust.h"

#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"

/* True if the group is the owner's own: of the same name, the owner's first, and with no other member. */
static bool is_private_group(uid_t user, gid_t group)
{
    const struct passwd *owner = getpwuid(user);
    const struct group *members = owner && owner->pw_gid == group ? getgrgid(group) : NULL;
    if (!members || strcmp(members->gr_name, owner->pw_name) != 0)
        return false;
    for (char *const *member = members->gr_mem; *member; member++)
        if (strcmp(*member, owner->pw_name) != 0)
            return false;
    return true;
}

const char *cs_trust_others_write(const struct stat *about)
{
    if (S_ISDIR(about->st_mode) && about->st_mode & S_ISVTX)
        return NULL;
    if (about->st_mode & S_IWOTH)
        return "every user can write it";
    if (about->st_mode & S_IWGRP && about->st_gid != 0 && !is_private_group(about->st_uid, about->st_gid))
        return "its group can write it";
    return NULL;
}

bool cs_trust_path(const char *path)
{
    char part[PATH_MAX];
    if (!realpath(path, part))
        return false;
    for (;;) {
        struct stat about;
        if (lstat(part, &about) != 0 || S_ISLNK(about.st_mode) || (about.st_uid != 0 && about.st_uid != geteuid()) ||
            cs_trust_others_write(&about))
            return false;
        if (strcmp(part, "/") == 0)
            return true;
        cs_path_to_folder(part);
    }
}
