/* A PMPI tool that finds the profiling name at run time, as Darshan does: nothing in its file says that it calls it. */
#include <dlfcn.h>
#include <mpi.h>

int MPI_Init(int *argc, char ***argv)
{
    int (*real)(int *, char ***) = (int (*)(int *, char ***))dlsym(RTLD_NEXT, "PMPI_Init");
    return real(argc, argv);
}
