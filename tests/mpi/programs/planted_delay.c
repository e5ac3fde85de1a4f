/* Preloaded: messages of MPI_Send arrive PLANTED_DELAY_MS later, as on a network with more latency. Each one follows a
   message with its time of departure; the ranks run on one machine and have one clock. */
#include <mpi.h>

#include <stdlib.h>
#include <time.h>

static MPI_Comm times = MPI_COMM_NULL;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int MPI_Init(int *argc, char ***argv)
{
    int result = PMPI_Init(argc, argv);
    if (result == MPI_SUCCESS)
        PMPI_Comm_dup(MPI_COMM_WORLD, &times);
    return result;
}

int MPI_Finalize(void)
{
    PMPI_Comm_free(&times);
    return PMPI_Finalize();
}

int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    double sent = now();
    PMPI_Send(&sent, 1, MPI_DOUBLE, dest, tag, times);
    return PMPI_Send(buf, count, datatype, dest, tag, comm);
}

int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    const char *delay = getenv("PLANTED_DELAY_MS");
    double sent;
    PMPI_Recv(&sent, 1, MPI_DOUBLE, source, tag, times, MPI_STATUS_IGNORE);
    int result = PMPI_Recv(buf, count, datatype, source, tag, comm, status);
    double left = sent + (delay ? atof(delay) : 0) / 1e3 - now();
    if (left > 0) {
        struct timespec time = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
        nanosleep(&time, NULL);
    }
    return result;
}
