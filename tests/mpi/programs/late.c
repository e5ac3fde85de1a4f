/* Rank 2 comes to every barrier after the others. Then a call in which nobody waits for anybody. */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm solver;
    MPI_Comm_dup(MPI_COMM_WORLD, &solver);
    MPI_Comm_set_name(solver, "solver");
    for (int i = 0; i < 8; i++) {
        if (rank == 2)
            usleep(50 * 1000);
        MPI_Barrier(solver);
    }
    int value = rank;
    MPI_Bcast(&value, 1, MPI_INT, 0, solver);
    MPI_Comm_free(&solver);
    MPI_Finalize();
    return 0;
}
