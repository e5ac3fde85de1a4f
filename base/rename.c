#include "base/rename.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

bool cs_rename_new(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    /* File systems without RENAME_NOREPLACE (NFS): a hard link never replaces either. */
    if (link(from, to) != 0)
        return false;
    unlink(from);
    return true;
}
