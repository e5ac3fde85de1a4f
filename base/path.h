/* Paths as text: no function here accesses the file system. */
#pragma once

#include <stdbool.h>
#include <string.h>

/* The last part of a path, or the whole path if it ends in a slash. */
static inline const char *cs_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* The end of a path that tells it from another path of the same name: the name, with as many folders as needed. The
   name alone if both are equal. */
static inline const char *cs_path_unlike(const char *path, const char *other)
{
    const char *mine = path + strlen(path), *theirs = other + strlen(other);
    while (mine > path && theirs > other && mine[-1] == theirs[-1]) {
        mine--;
        theirs--;
    }
    if (mine == path && theirs == other)
        return cs_path_name(path);
    mine -= theirs == other && mine > path && mine[-1] == '/';
    while (mine > path && mine[-1] != '/')
        mine--;
    return mine;
}

/* Removes the last part of a path: "/a" becomes "/". A path without slash stays. */
static inline void cs_path_to_folder(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash)
        slash[slash == path] = '\0';
}

/* True if the name ends with the suffix. */
static inline bool cs_path_ends(const char *name, const char *suffix)
{
    size_t length = strlen(name), wanted = strlen(suffix);
    return length >= wanted && strcmp(name + length - wanted, suffix) == 0;
}
