/* Which libraries the dynamic linker finds for a program. */
#pragma once

#include <limits.h>
#include <stdbool.h>

struct cs_linked_library {
    char name[256];      /* as it is asked for: "libmpi.so.40" */
    char path[PATH_MAX]; /* empty: it was not found */
};

enum cs_linked_how {
    CS_LINKED_AS_IT_RUNS,          /* with the environment as it is */
    CS_LINKED_WITHOUT_LIBRARY_PATH /* as without LD_LIBRARY_PATH, of which parts may depend on the current folder */
};

/* Asks the machine's dynamic linker which libraries it would load for a program or library file, and calls visit() for
   each. Nothing of the file is run. False: it could not be asked (another machine's file, none that is linked
   dynamically). */
bool cs_linked_libraries(const char *path, enum cs_linked_how how,
                         void (*visit)(void *context, const struct cs_linked_library *library), void *context);
