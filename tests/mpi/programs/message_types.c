/* Two ranks. "right": messages whose basic types match although their datatypes or counts differ. "wrong": the tag of
   each message whose types do not match is 100 or more. "lost": a message is never received. "cut": a message is longer
   than its receive buffer, and a rank is not there; the MPI returns errors. Each message has a tag of its own. */
#include "check.h"

#include <stddef.h>

static int rank;
static double data[64];

struct pair {
    int number;
    double value;
};

/* The members of struct pair, in this order. */
static MPI_Datatype members(MPI_Datatype first, MPI_Datatype second)
{
    MPI_Datatype made, types[2] = {first, second};
    int lengths[2] = {1, 1};
    MPI_Aint at[2] = {0, 8};
    MPI_Type_create_struct(2, lengths, at, types, &made);
    MPI_Type_commit(&made);
    return made;
}

static void message(int tag, int sent, MPI_Datatype as, int received, MPI_Datatype into)
{
    if (rank == 1)
        MPI_Send(data, sent, as, 0, tag, MPI_COMM_WORLD);
    else
        MPI_Recv(data, received, into, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void derived(MPI_Datatype pair)
{
    MPI_Datatype four, strided, indexed, both, again;
    int lengths[2] = {1, 3}, at[2] = {5, 0};
    MPI_Type_contiguous(4, MPI_DOUBLE, &four);
    MPI_Type_vector(2, 2, 3, MPI_DOUBLE, &strided);
    MPI_Type_indexed(2, lengths, at, MPI_DOUBLE, &indexed);
    MPI_Type_contiguous(3, pair, &both);
    MPI_Type_dup(both, &again);
    MPI_Datatype *made[] = {&four, &strided, &indexed, &both, &again};
    for (int i = 0; i < 5; i++)
        MPI_Type_commit(made[i]);
    message(1, 1, four, 4, MPI_DOUBLE);
    message(2, 4, MPI_DOUBLE, 1, strided);
    message(3, 1, indexed, 1, strided);
    message(4, 3, pair, 1, both);
    message(5, 1, again, 5, pair);         /* more room than data */
    message(6, 1, MPI_INT, 1, pair);       /* a part of one element */
    message(7, 4, MPI_INT, 9, MPI_INT);    /* more room */
    message(8, 0, MPI_INT, 4, MPI_DOUBLE); /* nothing */
    message(9, 16, MPI_BYTE, 2, MPI_DOUBLE);
    message(10, 2, MPI_DOUBLE, 64, MPI_PACKED);
    message(11, 4, MPI_UNSIGNED, 4, MPI_INT);
    for (int i = 0; i < 5; i++)
        MPI_Type_free(made[i]);
}

static void forms(void)
{
    MPI_Request request[2];
    MPI_Status status;
    MPI_Message matched;
    if (rank == 1) {
        MPI_Isend(data, 2, MPI_DOUBLE, 0, 20, MPI_COMM_WORLD, &request[0]);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        MPI_Send(data, 2, MPI_DOUBLE, 0, 21, MPI_COMM_WORLD);
        MPI_Send(data, 4, MPI_INT, 0, 22, MPI_COMM_WORLD);
        MPI_Send(data, 4, MPI_INT, 0, 23, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(data, 64, MPI_DOUBLE, MPI_ANY_SOURCE, 20, MPI_COMM_WORLD, &request[0]);
        MPI_Waitall(1, request, MPI_STATUSES_IGNORE);
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Recv(data, 2, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Mprobe(1, 22, MPI_COMM_WORLD, &matched, MPI_STATUS_IGNORE);
        MPI_Mrecv(data, 8, MPI_INT, &matched, MPI_STATUS_IGNORE);
        MPI_Mprobe(1, 23, MPI_COMM_WORLD, &matched, MPI_STATUS_IGNORE);
        MPI_Imrecv(data, 8, MPI_INT, &matched, &request[0]);
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    }
    MPI_Sendrecv(data, 2, rank ? MPI_INT : MPI_DOUBLE, 1 - rank, 24 + rank, data + 8, 8, rank ? MPI_DOUBLE : MPI_INT,
                 1 - rank, 25 - rank, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(data, 2, MPI_DOUBLE, 1 - rank, 26, 1 - rank, 26, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(data, 2, MPI_INT, MPI_PROC_NULL, 27, data, 2, MPI_DOUBLE, MPI_PROC_NULL, 27, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Send_init(data, 2, MPI_DOUBLE, 1 - rank, 28, MPI_COMM_WORLD, &request[0]);
    MPI_Recv_init(data + 8, 9, MPI_DOUBLE, 1 - rank, 28, MPI_COMM_WORLD, &request[1]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(2, request);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    MPI_Irecv(data, 2, MPI_INT, 1 - rank, 29, MPI_COMM_WORLD, &request[0]);
    MPI_Cancel(&request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
#if MPI_VERSION >= 4
    if (rank == 1)
        MPI_Psend_init(data, 4, 1, MPI_DOUBLE, 0, 30, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
    else
        MPI_Precv_init(data, 2, 2, MPI_DOUBLE, 1, 30, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
    MPI_Start(&request[0]);
    if (rank == 1)
        MPI_Pready_range(0, 3, request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&request[0]);
#endif
}

/* Communicators of their own: requests that are freed early, and one between the two ranks. */
static void communicators(void)
{
    MPI_Comm loose, between;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &loose);
    MPI_Irecv(data, 2, MPI_DOUBLE, 1 - rank, 40, loose, &request);
    MPI_Request_free(&request);
    MPI_Isend(data + 8, 2, MPI_DOUBLE, 1 - rank, 40, loose, &request);
    MPI_Request_free(&request);
    MPI_Barrier(loose);
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 41, &between);
    if (rank == 1)
        MPI_Send(data, 2, MPI_DOUBLE, 0, 42, between);
    else
        MPI_Recv(data, 2, MPI_DOUBLE, 0, 42, between, MPI_STATUS_IGNORE);
    MPI_Comm_free(&between);
    MPI_Comm_free(&loose);
}

static void wrong(MPI_Datatype pair)
{
    MPI_Request request;
    MPI_Message matched;
    MPI_Datatype turned = members(MPI_DOUBLE, MPI_INT);
    message(100, 4, MPI_DOUBLE, 8, MPI_INT);
    message(101, 2, MPI_FLOAT, 2, MPI_INT);
    message(102, 2, pair, 2, turned);
    message(103, 1, MPI_DOUBLE, 2, MPI_FLOAT);
    /* Both directions: what one rank lacks the other one has too much of. */
    MPI_Sendrecv(data, 2, rank ? MPI_INT : MPI_FLOAT, 1 - rank, 104, data + 8, 2, rank ? MPI_INT : MPI_FLOAT, 1 - rank,
                 104, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) {
        MPI_Isend(data, 2, MPI_FLOAT, 0, 105, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send_init(data, 2, MPI_FLOAT, 0, 106, MPI_COMM_WORLD, &request);
    } else {
        MPI_Mprobe(1, 105, MPI_COMM_WORLD, &matched, MPI_STATUS_IGNORE);
        MPI_Mrecv(data, 8, MPI_INT, &matched, MPI_STATUS_IGNORE);
        MPI_Recv_init(data, 2, MPI_INT, MPI_ANY_SOURCE, 106, MPI_COMM_WORLD, &request);
    }
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Type_free(&turned);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype pair = members(MPI_INT, MPI_DOUBLE);
    derived(pair);
    forms();
    communicators();
    if (argc > 1 && strcmp(argv[1], "wrong") == 0)
        wrong(pair);
    if (argc > 1 && strcmp(argv[1], "lost") == 0 && rank == 1)
        MPI_Send(data, 1, MPI_INT, 0, 107, MPI_COMM_WORLD);
    if (argc > 1 && strcmp(argv[1], "cut") == 0) {
        MPI_File none;
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_File_open(MPI_COMM_SELF, "no such file", MPI_MODE_RDONLY, MPI_INFO_NULL, &none); /* no misuse */
        for (int i = 0; i < 3; i++)
            message(108, 4, MPI_INT, 2, MPI_INT);
        if (rank == 1)
            MPI_Send(data, 1, MPI_INT, 7, 109, MPI_COMM_WORLD);
    }
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
