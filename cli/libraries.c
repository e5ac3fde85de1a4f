#include "cli/libraries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"

bool cs_libraries_folder(char folder[PATH_MAX])
{
    char self[PATH_MAX], joined[PATH_MAX + sizeof CALLSIGN_LIBRARIES_FROM_BIN + 1];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0)
        return false;
    self[length] = 0;
    cs_path_to_folder(self);
    snprintf(joined, sizeof joined, "%s/%s", self, CALLSIGN_LIBRARIES_FROM_BIN);
    return realpath(joined, folder) != NULL;
}
