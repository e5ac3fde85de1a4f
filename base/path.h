/* Paths as text; nothing here looks at a file. */
#pragma once

#include <stdbool.h>
#include <string.h>

/* The last part of a path; all of it when nothing follows the last slash. */
static inline const char *cs_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* Leaves the folder that the last part is in: "/a" is in "/". A path without slash stays. */
static inline void cs_path_to_folder(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash)
        slash[slash == path] = '\0';
}

/* Whether a name ends so. */
static inline bool cs_path_ends(const char *name, const char *suffix)
{
    size_t length = strlen(name), wanted = strlen(suffix);
    return length >= wanted && strcmp(name + length - wanted, suffix) == 0;
}
