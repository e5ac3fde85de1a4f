#include "base/owner.h"

#include <errno.h>
#include <sys/fsuid.h>
#include <unistd.h>

#define PERMISSIONS 0777u

bool cs_owner_may(const struct stat *of)
{
    return of->st_uid == geteuid() || geteuid() == 0;
}

/* The identity for files alone: other users cannot send signals to it, and the process stays root's. With it go root's
   privileges over files. Neither call says whether it did anything; asking for what cannot be tells who we are. */
static bool act_as(uid_t user, gid_t group)
{
    setfsgid(group);
    setfsuid(user);
    return (uid_t)setfsuid((uid_t)-1) == user && (gid_t)setfsgid((gid_t)-1) == group;
}

static bool act_again_as(uid_t user, gid_t group)
{
    setfsuid(user); /* first: the other needs root's privileges */
    setfsgid(group);
    return (uid_t)setfsuid((uid_t)-1) == user && (gid_t)setfsgid((gid_t)-1) == group;
}

bool cs_owner_begin(const struct stat *of, struct cs_owner *before)
{
    *before = (struct cs_owner){.user = (uid_t)setfsuid((uid_t)-1), .group = (gid_t)setfsgid((gid_t)-1)};
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
