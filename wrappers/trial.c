/* A program that begins MPI, says what this MPI's limits are, one "NAME VALUE" in a line, and ends it. `callsign
   doctor` starts it under the recorder, in place of the user's program. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS)
        return 1;
    int *tag_ub, found = 0;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_ub, &found);
    if (found)
        printf("MPI_TAG_UB %d\n", *tag_ub);
    printf("MPI_MAX_OBJECT_NAME %d\n", MPI_MAX_OBJECT_NAME);
    MPI_Finalize();
    return 0;
}
