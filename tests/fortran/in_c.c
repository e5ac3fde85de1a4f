/* The part of semantics.F90 that is written in C. */
#include <mpi.h>

void in_c(int handle);

void in_c(int handle)
{
    MPI_Comm comm = MPI_Comm_f2c(handle);
    MPI_Comm_set_name(comm, "from C");
    MPI_Comm_set_name(MPI_COMM_SELF, "myself");
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
}
