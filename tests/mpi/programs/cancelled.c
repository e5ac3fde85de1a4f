/* Cancels receives and a send, and frees an active receive; every communicator then carries messages both ways. With
   two ranks. Prints for each direction of a communicator whether it can be known which message is which:
   "taken NAME SOURCE MESSAGES known|unknown". */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank;

static MPI_Comm named(const char *name)
{
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    MPI_Comm_set_name(made, name);
    return made;
}

static void carry(MPI_Comm comm, int source, int tag, int messages)
{
    for (int i = 0; i < messages; i++) {
        int value = i;
        if (rank == source)
            MPI_Send(&value, 1, MPI_INT, 1 - rank, tag, comm);
        else
            MPI_Recv(&value, 1, MPI_INT, i % 2 ? MPI_ANY_SOURCE : source, tag, comm, MPI_STATUS_IGNORE);
        if (value != i)
            MPI_Abort(comm, 1);
    }
}

static void tell(const char *name, int source, int messages, int known)
{
    if (rank == 0)
        printf("taken %s %d %d %s\n", name, source, messages, known ? "known" : "unknown");
}

/* Nobody sends in the meantime: the MPI has to cancel it. */
static void cancel_receive(MPI_Comm comm, int source, int tag, int tests)
{
    MPI_Request request;
    MPI_Status status;
    int value, cancelled = 0, done = 0;
    MPI_Irecv(&value, 1, MPI_INT, source, tag, comm, &request);
    MPI_Cancel(&request);
    while (tests && !done)
        MPI_Test(&request, &done, &status);
    if (!tests)
        MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    if (!cancelled)
        MPI_Abort(comm, 2);
    MPI_Barrier(comm);
}

static void cancel_receives(const char *name, int source, int tests)
{
    MPI_Comm comm = named(name);
    carry(comm, 0, 5, 2);
    cancel_receive(comm, source == MPI_ANY_SOURCE ? source : 1 - rank, tests ? MPI_ANY_TAG : 5, tests);
    carry(comm, 0, 5, 3);
    carry(comm, 1, 5, 4);
    tell(name, 0, 5, 1);
    tell(name, 1, 4, 1);
    MPI_Comm_free(&comm);
}

/* A receive that is made again and again. */
static void cancel_persistent(void)
{
    MPI_Comm comm = named("persistent");
    MPI_Request request;
    MPI_Status status;
    int value, cancelled = 0;
    MPI_Recv_init(&value, 1, MPI_INT, 1 - rank, 5, comm, &request);
    MPI_Start(&request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    if (!cancelled)
        MPI_Abort(comm, 3);
    MPI_Request_free(&request);
    MPI_Barrier(comm);
    carry(comm, 0, 5, 3);
    tell("persistent", 0, 3, 1);
    MPI_Comm_free(&comm);
}

/* Whether the send is cancelled is the MPI's choice. */
static void cancel_send(void)
{
    MPI_Comm comm = named("taken_back");
    MPI_Request request;
    MPI_Status status;
    int value = 0, cancelled = 0;
    if (rank == 0) {
        MPI_Isend(&value, 1, MPI_INT, 1, 7, comm, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, &status);
        MPI_Test_cancelled(&status, &cancelled);
    }
    MPI_Bcast(&cancelled, 1, MPI_INT, 0, comm);
    if (rank == 1 && !cancelled)
        MPI_Recv(&value, 1, MPI_INT, 0, 7, comm, MPI_STATUS_IGNORE);
    carry(comm, 0, 7, 2);
    carry(comm, 1, 7, 2);
    tell("taken_back", 0, cancelled ? 2 : 3, !cancelled);
    tell("taken_back", 1, 2, 1);
    MPI_Comm_free(&comm);
}

static void free_receive(const char *name, int source)
{
    static int value;
    MPI_Comm comm = named(name);
    MPI_Request request;
    if (rank == 1) {
        MPI_Irecv(&value, 1, MPI_INT, source, 8, comm, &request);
        MPI_Request_free(&request);
    }
    MPI_Barrier(comm);
    if (rank == 0)
        MPI_Send(&rank, 1, MPI_INT, 1, 8, comm);
    carry(comm, 0, 8, 2);
    carry(comm, 1, 8, 2);
    tell(name, 0, 3, 0);
    tell(name, 1, 2, 1);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    cancel_receives("any", MPI_ANY_SOURCE, 0);
    cancel_receives("one", 0, 0);
    cancel_receives("polled", MPI_ANY_SOURCE, 1);
    cancel_persistent();
    cancel_send();
    free_receive("freed", 0);
    free_receive("freed_any", MPI_ANY_SOURCE);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
