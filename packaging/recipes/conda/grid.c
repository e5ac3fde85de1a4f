/* The program of the recipe's test: it leaks one communicator. */
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Comm row;
    MPI_Init(&argc, &argv);

    MPI_Comm_dup(MPI_COMM_WORLD, &row);
    MPI_Finalize();
    return 0;
}
