/* Two ranks exchange messages whose size says which they are: the n-th with a tag has 1 + (n - 1) % 7 + tag integers.
   Argument part: each calls MPI_Pcontrol(2) and MPI_Pcontrol(3), rank 0 before rank 1. */
#include <mpi.h>

enum { TAGS = 3, ROUNDS = 3000, MOST = 16, BEGIN = 500, END = 2000, LATER = 200 };

int main(int argc, char **argv)
{
    int rank, out[MOST] = {0}, in[TAGS][MOST];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int n = 0; n < ROUNDS; n++) {
        if (argc > 1 && n == BEGIN + rank * LATER)
            MPI_Pcontrol(2);
        if (argc > 1 && n == END + rank * LATER)
            MPI_Pcontrol(3);
        MPI_Request request[2 * TAGS];
        MPI_Status status[2 * TAGS];
        for (int tag = 0; tag < TAGS; tag++)
            MPI_Irecv(in[tag], MOST, MPI_INT, n % 2 ? MPI_ANY_SOURCE : 1 - rank, tag, MPI_COMM_WORLD, &request[tag]);
        for (int tag = TAGS - 1; tag >= 0; tag--)
            MPI_Isend(out, 1 + n % 7 + tag, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD, &request[TAGS + tag]);
        MPI_Waitall(2 * TAGS, request, status);
    }
    MPI_Finalize();
    return 0;
}
