/* Where callsign's libraries are, for one of them that is to open another. */
#pragma once

#include <limits.h>
#include <stdbool.h>

/* The folder, absolute, of the library (or program) that this function is linked into. False: it is not known. */
bool cs_own_folder(char folder[PATH_MAX]);
