/* Makes and frees as many datatypes as it is told: more than can be written away at the end in a moment. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    long count = argc > 1 ? atol(argv[1]) : 1;
    for (long i = 0; i < count; i++) {
        MPI_Datatype type;
        MPI_Type_contiguous(2, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Type_free(&type);
    }
    printf("%ld types\n", count);
    MPI_Finalize();
    return 0;
}
