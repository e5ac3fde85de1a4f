/* Its library for Fortran. All but mpi_comm_rank_, of which that was forgotten, have another name to be called by, and
   mpi_future_ is not known to callsign. */
#include <stddef.h>

#include "mpi.h"

#define WITH_TWIN(name) extern __typeof__(name) p##name __attribute__((alias(#name)))

void mpi_init_(int *error);
void mpi_init_(int *error)
{
    *error = MPI_Init(NULL, NULL);
}
WITH_TWIN(mpi_init_);

void mpi_comm_rank_(const int *comm, int *rank, int *error);
void mpi_comm_rank_(const int *comm, int *rank, int *error)
{
    *error = MPI_Comm_rank(*comm, rank);
}

void mpi_future_(int *answer, int *error);
void mpi_future_(int *answer, int *error)
{
    *error = MPIX_Future(answer);
    *answer *= 2;
}
WITH_TWIN(mpi_future_);

void mpi_finalize_(int *error);
void mpi_finalize_(int *error)
{
    *error = MPI_Finalize();
}
WITH_TWIN(mpi_finalize_);
