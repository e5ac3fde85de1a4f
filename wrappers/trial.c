/* A program that begins MPI, checks what callsign needs of this MPI, and ends MPI. `callsign doctor` runs it under
   the recorder, like a user's program. */
#include <stdio.h>

#include "whole_mpi.h"

/* Names and attributes belong to handles, so each communicator must have its own. */
static int handles_tell_communicators_apart(void)
{
    MPI_Comm first = MPI_COMM_NULL, second = MPI_COMM_NULL;
    if (MPI_Comm_dup(MPI_COMM_WORLD, &first) != MPI_SUCCESS || MPI_Comm_dup(MPI_COMM_WORLD, &second) != MPI_SUCCESS)
        return 0;
    int differ = first != MPI_COMM_WORLD && second != MPI_COMM_WORLD && first != second;
    if (differ) {
        MPI_Comm_free(&first);
        MPI_Comm_free(&second);
    }
    return differ;
}

int main(int argc, char **argv)
{
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS)
        return 1;
    int differ = handles_tell_communicators_apart();
    printf("MPI_MAX_OBJECT_NAME %d\n", MPI_MAX_OBJECT_NAME);
    if (!differ)
        puts("a duplicate of a communicator has no handle of its own in this MPI, which callsign therefore cannot "
             "serve");
    MPI_Finalize();
    return !differ;
}
