/* Which libraries the dynamic linker finds for a program. */
#pragma once

#include <limits.h>
#include <stdbool.h>

struct cs_linked_library {
    char name[256];      /* as it is asked for: "libmpi.so.40" */
    char path[PATH_MAX]; /* empty: it was not found */
};

/* Asks the machine's dynamic linker, with the environment as it is, which libraries it would load for a program or
   library file, and calls visit() for each. Nothing of the file is run. False: it could not be asked (another machine's
   file, none that is linked dynamically). */
bool cs_linked_libraries(const char *path, void (*visit)(void *context, const struct cs_linked_library *library),
                         void *context);
