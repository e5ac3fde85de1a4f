/* For the CI script and the problem matcher: a collective call whose types differ, a message that nobody receives, and
   a communicator that nobody frees. With an argument: none of them. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, values[4] = {0}, sums[4];
    MPI_Comm row;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &row);
    MPI_Datatype type = rank == 0 || argc > 1 ? MPI_INT : MPI_FLOAT;
    MPI_Allreduce(values, sums, 4, type, MPI_SUM, row);
    if (rank == 1 && argc == 1)
        MPI_Send(values, 4, MPI_INT, 0, 7, MPI_COMM_WORLD);
    if (argc > 1)
        MPI_Comm_free(&row);
    MPI_Finalize();
    return 0;
}
