/* A program that is content with an MPI in which duplicates have no handles of their own. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm one, other;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("rank %d, %s\n", rank, one == other ? "as stubs have it" : "two communicators");
    MPI_Finalize();
    return 3;
}
