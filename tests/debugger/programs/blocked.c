/* Compiled with -O2: waits for ever in a call whose communicator the program itself keeps nowhere: MPI_Recv, or
   with an argument MPI_Sendrecv. */
#include <mpi.h>

static __attribute__((noinline)) MPI_Comm make(void)
{
    MPI_Comm rows;
    MPI_Comm_dup(MPI_COMM_WORLD, &rows);
    MPI_Comm_set_name(rows, "rows");
    return rows;
}

static __attribute__((noinline)) void exchange(int tag, int both)
{
    int got = 0, sent = 1;
    MPI_Comm comm = make();
    if (both)
        MPI_Sendrecv(&sent, 1, MPI_INT, 0, 3, &got, 1, MPI_INT, 0, tag, comm, MPI_STATUS_IGNORE);
    else
        MPI_Recv(&got, 1, MPI_INT, 0, tag, comm, MPI_STATUS_IGNORE);
    __asm__ volatile("" : : "m"(got));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    exchange(99, argc > 1);
    MPI_Finalize();
    return 0;
}
