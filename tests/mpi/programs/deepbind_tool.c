/* A PMPI tool whose name begins like an MPI's. Its MPI_Barrier calls the profiling name; it has a profiling name
 * itself, through which nobody but the program may come. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int MPI_Barrier(MPI_Comm comm)
{
    return PMPI_Barrier(comm);
}

int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
    int (*real)(MPI_Comm, int *) = (int (*)(MPI_Comm, int *))dlsym(RTLD_NEXT, "PMPI_Comm_rank");
    puts("the tool saw PMPI_Comm_rank");
    return real(comm, rank);
}
