/* The library that deepbind opens. */
#include <mpi.h>

void work(void);

void work(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}
