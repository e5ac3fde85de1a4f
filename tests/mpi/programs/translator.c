/* The library that programs link: when it is loaded it opens the plugin named by TRANSLATOR_PLUGIN, "deep", and
 * forwards calls. Like each MPI, it has the profiling names, too. */
#include "translator.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static const struct translated *plugin;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("TRANSLATOR_PLUGIN");
    void *handle = path ? dlopen(path, RTLD_LAZY | RTLD_LOCAL | RTLD_DEEPBIND) : NULL;
    plugin = handle ? dlsym(handle, "translated") : NULL;
    if (!plugin) {
        printf("no plugin: %s\n", dlerror());
        exit(1);
    }
}

#define BOTH(name, parameters, ...)                                                                                    \
    int MPI_##name parameters                                                                                          \
    {                                                                                                                  \
        return plugin->__VA_ARGS__;                                                                                    \
    }                                                                                                                  \
    int PMPI_##name parameters;                                                                                        \
    int PMPI_##name parameters                                                                                         \
    {                                                                                                                  \
        return plugin->__VA_ARGS__;                                                                                    \
    }

BOTH(Init, (int *argc, char ***argv), init(argc, argv))
BOTH(Comm_rank, (MPI_Comm comm, int *rank), comm_rank(comm, rank))
BOTH(Comm_size, (MPI_Comm comm, int *size), comm_size(comm, size))
BOTH(Barrier, (MPI_Comm comm), barrier(comm))
BOTH(Finalize, (void), finalize())
