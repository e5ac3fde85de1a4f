/* Another PMPI tool. BY_HANDLE: it looks for the real function in the MPI library itself and not by RTLD_NEXT.
   PROFILING: it defines the profiling name, too, as Darshan does. */
#include <dlfcn.h>
#include <stdio.h>

int MPI_Init(int *argc, char ***argv);

int MPI_Init(int *argc, char ***argv)
{
    fputs("tool saw MPI_Init\n", stderr);
#ifdef BY_HANDLE
    void *mpi = dlopen("libmpi.so.40", RTLD_LAZY);
    int (*real)(int *, char ***) = mpi ? dlsym(mpi, "MPI_Init") : NULL;
#else
    int (*real)(int *, char ***) = dlsym(RTLD_NEXT, "MPI_Init");
#endif
    return real ? real(argc, argv) : 1;
}

#ifdef PROFILING
int PMPI_Init(int *argc, char ***argv);

int PMPI_Init(int *argc, char ***argv)
{
    fputs("tool saw PMPI_Init\n", stderr);
    int (*real)(int *, char ***) = dlsym(RTLD_NEXT, "PMPI_Init");
    return real ? real(argc, argv) : 1;
}
#endif
