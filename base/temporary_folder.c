#include "base/temporary_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

bool cs_temporary_folder(char path[PATH_MAX])
{
    const char *parent = getenv("TMPDIR");
    int length = snprintf(path, PATH_MAX, "%s/callsign-XXXXXX", parent && *parent ? parent : "/tmp");
    if (length < PATH_MAX)
        return mkdtemp(path);
    errno = ENAMETOOLONG;
    return false;
}
