/* Renaming a file to a name that may be taken. */
#ifndef CS_BASE_RENAME_H
#define CS_BASE_RENAME_H

#include <stdbool.h>

/* Renames a file; never replaces another. False: errno tells, EEXIST if there is one. */
bool cs_rename_new(const char *from, const char *to);

#endif
