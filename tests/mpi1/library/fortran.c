/* What a program in Fortran calls: the function of C, which takes the same handles. */
#include "inside.h"

void mpi_init_(int *error);
void mpi_init_(int *error)
{
    *error = MPI_Init(NULL, NULL);
}

void mpi_finalize_(int *error);
void mpi_finalize_(int *error)
{
    *error = MPI_Finalize();
}

void mpi_comm_rank_(const int *comm, int *rank, int *error);
void mpi_comm_rank_(const int *comm, int *rank, int *error)
{
    *error = MPI_Comm_rank(*comm, rank);
}

void mpi_comm_dup_(const int *comm, int *made, int *error);
void mpi_comm_dup_(const int *comm, int *made, int *error)
{
    *error = MPI_Comm_dup(*comm, made);
}

void mpi_comm_free_(int *comm, int *error);
void mpi_comm_free_(int *comm, int *error)
{
    *error = MPI_Comm_free(comm);
}
