/* A library whose code nobody can change: makes communicators, in a static function, that it does not name. */
#include <mpi.h>

void grid_make(MPI_Comm comm, int color, MPI_Comm *row);

static volatile int after;

static __attribute__((noinline)) void split(MPI_Comm comm, int color, MPI_Comm *row)
{
    MPI_Comm_split(comm, color, 7, row);
    after++;
}

void grid_make(MPI_Comm comm, int color, MPI_Comm *row)
{
    split(comm, color, row);
    after++;
}
