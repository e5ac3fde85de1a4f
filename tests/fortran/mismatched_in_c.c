/* The rank of mismatched.F90 that makes its calls in C: other datatypes of the same elements. */
#include <mpi.h>

void calls_in_c(void);

void calls_in_c(void)
{
    MPI_Comm rows;
    MPI_Datatype four;
    int numbers[12] = {0}, all[36];
    double values[4] = {2, 2, 2, 2}, most[4];

    MPI_Comm_dup(MPI_COMM_WORLD, &rows);
    MPI_Comm_set_name(rows, "rows");
    MPI_Bcast(numbers, 4, MPI_INT, 0, rows);
    MPI_Type_contiguous(4, MPI_INT, &four);
    MPI_Type_commit(&four);
    MPI_Bcast(numbers, 1, four, 0, rows);
    MPI_Reduce(values, most, 4, MPI_DOUBLE, MPI_MAX, 0, rows);
    MPI_Gather(numbers, 1, four, all, 4, MPI_INT, 1, rows);
    MPI_Allreduce(numbers, all, 4, MPI_INT, MPI_SUM, rows);
    MPI_Barrier(rows);
    MPI_Type_free(&four);
    MPI_Comm_free(&rows);
}
