/* Renaming a file without replacing another. */
#pragma once

#include <stdbool.h>

/* False: errno says why, EEXIST if there is one. */
bool cs_rename_new(const char *from, const char *to);
