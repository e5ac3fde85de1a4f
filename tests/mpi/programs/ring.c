/* The smallest whole program: a value goes once around. Runs with any number of processes, one too, and without a
 * launcher. */
#include "check.h"

int main(int argc, char **argv)
{
    int rank, size, value = 0;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    value = rank;
    CALL(MPI_Sendrecv_replace)
    (&value, 1, MPI_INT, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_bytes("MPI_Sendrecv_replace", "MPI_COMM_WORLD", 4, 4);
    CHECK(value == (rank + size - 1) % size);
    check_say("rank %d of %d got %d", rank, size, value);
    CALL(MPI_Finalize)();
    check_outcome("finalized");
    check_sql("SELECT world_size = %d AND rank = %d FROM process", size, rank);
    return check_write();
}
