/* Folders for what is needed only now. */
#pragma once

#include <limits.h>
#include <stdbool.h>

/* Makes a new folder that only this user may read, in TMPDIR or /tmp. False: errno says why, and `path` has the name
 * that it was to have. */
bool cs_temporary_folder(char path[PATH_MAX]);
