/* Correct programs whose calls go past callsign: past pmpi calls PMPI_ names on some ranks; past own, in the executable
   past_own, calls MPI_ functions that it defines itself. past none calls neither, but could. Its last word hangs: rank
   0 then waits for a message until the launcher ends it. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef OWN
int MPI_Send(const void *data, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    return PMPI_Send(data, count, type, dest, tag, comm);
}
int MPI_Barrier(MPI_Comm comm)
{
    return PMPI_Barrier(comm);
}
#endif

static void send(int past, int i)
{
    if (past)
        PMPI_Send(&i, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
    else
        MPI_Send(&i, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
}

static void barrier(int past)
{
    if (past)
        PMPI_Barrier(MPI_COMM_WORLD);
    else
        MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, value = 0, past = argc > 1 && strcmp(argv[1], "pmpi") == 0, hangs = argc > 2;
    MPI_Comm split, copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 7; i++) {
        if (rank == 0)
            send(past, i);
        if (rank == 1)
            MPI_Recv(&value, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    barrier(past && rank > 0);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &split);
    MPI_Comm_free(&split);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (past)
        PMPI_Comm_free(&copy);
    else
        MPI_Comm_free(&copy);
    if (rank == 2)
        usleep(100000);
    barrier(past && rank == 1);
    for (int i = 0; i < 3; i++)
        MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (hangs && rank == 0)
        MPI_Recv(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (hangs)
        barrier(past);
    printf("rank %d is done\n", rank);
    MPI_Finalize();
    return 0;
}
