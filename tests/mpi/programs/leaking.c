/* argv[1] times: a reduction for which rank 1 comes 15 ms late, a barrier of each half of the ranks, and a datatype
   that is never freed. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

static void leak(void)
{
    MPI_Datatype type;
    MPI_Type_vector(3, 2, 5, MPI_INT, &type);
}

int main(int argc, char **argv)
{
    int rank, times = argc > 1 ? atoi(argv[1]) : 1;
    double one = 1, sum;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Comm_set_name(half, "halves");
    for (int i = 0; i < times; i++) {
        usleep(rank == 1 ? 20000 : 5000);
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Barrier(half);
        leak();
    }
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
