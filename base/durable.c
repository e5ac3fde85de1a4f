#include "base/durable.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file_system.h"
#include "base/path.h"

bool cs_durable_content(int fd)
{
    if (cs_file_system_of(fd) == CS_FILE_SYSTEM_MEMORY)
        return true;
    int result;
    while ((result = fsync(fd)) != 0 && errno == EINTR)
        ;
    return result == 0 || errno == EINVAL; /* EINVAL: the file system has no such thing */
}

void cs_durable_name(const char *path)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s%s", strchr(path, '/') ? "" : "./", path);
    cs_path_to_folder(folder);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    cs_durable_content(fd);
    close(fd);
}
