/* Calls of entry points, as a Fortran compiler emits them. */
#include <stdio.h>

void mpi_init_(int *error);
void mpi_comm_rank_(const int *comm, int *rank, int *error);
void mpi_comm_dup_(const int *comm, int *made, int *error);
void mpi_comm_free_(int *comm, int *error);
void mpi_finalize_(int *error);

int main(void)
{
    int world = 1, twin, rank = -1, errors[5];
    mpi_init_(&errors[0]);
    mpi_comm_dup_(&world, &twin, &errors[1]);
    mpi_comm_rank_(&twin, &rank, &errors[2]);
    mpi_comm_free_(&twin, &errors[3]);
    mpi_finalize_(&errors[4]);
    printf("rank %d, errors %d %d %d %d %d\n", rank, errors[0], errors[1], errors[2], errors[3], errors[4]);
    return 0;
}
