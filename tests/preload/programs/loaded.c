/* loaded HOW LIBRARY: opens the MPI, or a plug-in linked to it, at run time (RTLD_LOCAL) and calls it. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static int with_handle(void *mpi)
{
    long (*integers)(long, long, long, long, long, long, long, long, long, long, long, long) =
        dlsym(mpi, "MPI_Alltoallw");
    int (*initialize)(int *, char ***) = dlsym(mpi, "MPI_Init");
    int (*finalize)(void) = dlsym(mpi, "MPI_Finalize");
    if (!integers || !initialize || !finalize || dlerror())
        return 1;
    if (initialize(NULL, NULL) || integers(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12) != 650 || finalize())
        return 1;
    /* A function that the MPI lacks is not found, and dlerror has the reason. */
    return dlsym(mpi, "MPI_Session_init") || !dlerror();
}

/* A function that no library has is not found by any search, and dlerror names it once. */
static int is_missing(const char *name)
{
    void *const places[] = {RTLD_DEFAULT, RTLD_NEXT, dlopen(NULL, RTLD_LAZY)};
    for (int i = 0; i < 3; i++) {
        dlerror();
        const char *why = dlsym(places[i], name) ? NULL : dlerror();
        if (!why || !strstr(why, name) || dlerror() || dlvsym(places[i], name, "MPI_4") || !dlerror()) {
            printf("search %d for %s: %s\n", i, name, why ? why : "no reason");
            return 0;
        }
    }
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    if (strcmp(argv[1], "default") == 0) {
        /* Before: no MPI in the process, so nobody defines its functions. */
        if (!is_missing("MPI_Init"))
            return 1;
        void *mpi = dlopen(argv[2], RTLD_NOW | RTLD_GLOBAL);
        int (*initialize)(int *, char ***) = dlsym(RTLD_DEFAULT, "MPI_Init");
        if (!mpi || !initialize || initialize(NULL, NULL))
            return 1;
        if (dlsym(RTLD_NEXT, "MPI_Init") != (void *)initialize || dlerror())
            return 1;
        /* The last are names of Fortran, whose library is not there, in both of their cases. */
        if (!is_missing("MPI_Session_init") || !is_missing("mpi_send_") || !is_missing("MPI_SEND"))
            return 1;
        puts("done");
        return 5;
    }
    void *library = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        puts(dlerror());
        return 1;
    }
    int failed = 1;
    if (strcmp(argv[1], "handle") == 0) {
        failed = with_handle(library);
    } else {
        int (*run)(void) = dlsym(library, "plugin_run");
        failed = !run || run();
    }
    puts(failed ? "failed" : "done");
    return failed ? 1 : 5;
}
