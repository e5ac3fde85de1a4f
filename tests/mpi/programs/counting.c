/* argv[1] times MPI_Allreduce: for tools that count. */
#include "check.h"

int main(int argc, char **argv)
{
    int rank, size, value = 1, sum = 0, times = argc > 1 ? atoi(argv[1]) : 1;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    for (int i = 0; i < times; i++)
        CALL(MPI_Allreduce)(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_bytes("MPI_Allreduce", "MPI_COMM_WORLD", 4 * times, 4 * times);
    CHECK(sum == size);
    check_say("rank %d: %d times", rank, times);
    CALL(MPI_Finalize)();
    return check_write();
}
