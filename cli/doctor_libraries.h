/* The libraries that the dynamic linker finds for a program, and which of them `callsign doctor` may load: those that
   run with the user's rights already. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

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

/* Whether the folder of a library is trusted: one where the dynamic linker looks for callsign's own trial program, an
   absolute folder of LD_LIBRARY_PATH, or an absolute folder that the program names (RUNPATH), which nobody but root and
   the user can change and which is not the program's own. Folders that a trusted library names count as well. A
   program's $ORIGIN does not: what lies beside a program came with it.
   False: `why` says in words why not. */
bool cs_trusted_library(const char *library, const char *program, const char *trial, char *why, size_t size);
