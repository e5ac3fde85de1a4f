/* Preloaded into the command: whoever may rename the folder of a run puts another one in its place each time that the
   file of a rank is opened, and the own one back right after. Always wins the race. */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *swap(const char *path, int flags, char other[PATH_MAX])
{
    const char *from = getenv("SWAPPED_FROM"), *to = getenv("SWAPPED_TO");
    size_t length = from ? strlen(from) : 0;
    if (!from || !to || strncmp(path, from, length) != 0 || strncmp(path + length, "/rank-", 6) != 0 || flags & O_CREAT)
        return path;
    snprintf(other, PATH_MAX, "%s%s", to, path + length);
    return other;
}

#define OPEN(name)                                                                                                     \
    int name(const char *path, int flags, ...);                                                                        \
    int name(const char *path, int flags, ...)                                                                         \
    {                                                                                                                  \
        char other[PATH_MAX];                                                                                          \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;                                                      \
        va_end(rest);                                                                                                  \
        int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name);                \
        return real(swap(path, flags, other), flags, mode);                                                            \
    }

OPEN(open)
OPEN(open64)
