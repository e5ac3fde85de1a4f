/* Where callsign's libraries are. */
#pragma once

#include <limits.h>
#include <stdbool.h>

/* Their folder, absolute: known relative to the command's own, so that the installed tree can be moved. False: there is
   none. */
bool cs_libraries_folder(char folder[PATH_MAX]);
