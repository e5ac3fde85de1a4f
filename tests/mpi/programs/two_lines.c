/* Rank 1 waits for messages that rank 0 sends late: by 9 ms on one line, and by 1 ms on another one. */
#include <mpi.h>
#include <time.h>

/* Sleeps: a process that computes may lose its core anywhere. */
static void work(long milliseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 20; i++) {
        if (rank == 0) {
            work(9);
            MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* most */
            work(1);
            MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        } else if (rank == 1) {
            for (int j = 0; j < 2; j++)
                MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
