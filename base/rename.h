/* Renaming a file without replacing another. */
#ifndef CS_BASE_RENAME_H
#define CS_BASE_RENAME_H

#include <stdbool.h>

/* False: errno says why, EEXIST if there is one. */
bool cs_rename_new(const char *from, const char *to);

#endif
