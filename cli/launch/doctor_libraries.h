/* The libraries that the dynamic linker finds for a program, and which of them `callsign doctor` may load: those
   that already run with the user's rights. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct cs_linked_library {
    char name[256];      /* as requested: "libmpi.so.40" */
    char path[PATH_MAX]; /* empty: not found */
};

enum cs_linked_how {
    CS_LINKED_AS_IT_RUNS,          /* with the current environment */
    CS_LINKED_WITHOUT_LIBRARY_PATH /* without LD_LIBRARY_PATH, parts of which may be relative */
};

/* Asks this machine's dynamic linker which libraries it would load for a program or library, and calls visit() for
   each. Runs no code of the file. Returns false if the linker cannot answer: a file for another machine, or one that
   is not linked dynamically. */
bool cs_list_linked_libraries(const char *path, enum cs_linked_how how,
                              void (*visit)(void *context, const struct cs_linked_library *library), void *context);

/* True if the folder of a library is trusted. Trusted are: folders where the dynamic linker finds libraries for
   callsign's own trial program, absolute folders of LD_LIBRARY_PATH, and absolute folders that the program names
   (RUNPATH), if only root and the user can change them and they are not the program's own. Folders that a trusted
   library names count, too. $ORIGIN does not: files next to a program came with it. If false, `why` has the reason. */
bool cs_trusted_library(const char *library, const char *program, const char *trial, char *why, size_t size);
