/* A process alone that never ends: the n-th round, from 1, says in its sizes which it is. It prints a line when the
 * first rounds are done. */
#include <mpi.h>

#include <stdio.h>

enum { MOST = 16, FIRST = 100 };

int main(int argc, char **argv)
{
    int out[MOST] = {0}, in[MOST], rank;
    MPI_Init(&argc, &argv);
    for (int n = 1;; n++) {
        MPI_Request request[2];
        MPI_Irecv(in, MOST, MPI_INT, 0, n % 3, MPI_COMM_WORLD, &request[0]);
        MPI_Issend(out, 1 + n % 7, MPI_INT, 0, n % 3, MPI_COMM_WORLD, &request[1]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        MPI_Allreduce(out, in, 1 + n % 11, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (n == FIRST) {
            puts("runs");
            fflush(stdout);
        }
    }
}
