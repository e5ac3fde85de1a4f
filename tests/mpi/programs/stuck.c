/* Ranks that wait for each other in a circle: argv[1] is recv or wait. Or rank 1 ends by a signal while it computes and
   the others are at a barrier: die; or computes on: compute. The alarm ends who is left. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int rank, size, value;
    MPI_Request request;
    MPI_Comm solver;
    MPI_Init(&argc, &argv);
    alarm(argc > 2 ? (unsigned)atoi(argv[2]) : 10);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &solver);
    MPI_Comm_set_name(solver, "solver");
    MPI_Barrier(solver);
    if (strcmp(how, "recv") == 0)
        MPI_Recv(&value, 1, MPI_INT, (rank + 1) % size, 7, solver, MPI_STATUS_IGNORE);
    if (strcmp(how, "wait") == 0) {
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 8 + rank, solver, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (strcmp(how, "die") == 0 || strcmp(how, "compute") == 0) {
        if (rank == 1) {
            sleep(strcmp(how, "die") == 0 ? 1 : 60);
            raise(SIGKILL);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
