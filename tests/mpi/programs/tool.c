/* Another PMPI tool, as users preload them: counts MPI_Allreduce and says so on stderr at MPI_Finalize. */
#include <mpi.h>
#include <stdio.h>

static int calls;

int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    calls++;
    return PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
}

int MPI_Finalize(void)
{
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "tool: rank %d called MPI_Allreduce %d times\n", rank, calls);
    return PMPI_Finalize();
}
