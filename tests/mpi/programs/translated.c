/* A program for the translator's interface. */
#include "translator.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    int rank = -1, size = -1, failed = MPI_Init(&argc, &argv);
    failed += MPI_Comm_rank(MPI_COMM_WORLD, &rank) + MPI_Comm_size(MPI_COMM_WORLD, &size) + MPI_Barrier(MPI_COMM_WORLD);
    printf("rank %d of %d: %d failed\n", rank, size, failed);
    return failed + MPI_Finalize();
}
