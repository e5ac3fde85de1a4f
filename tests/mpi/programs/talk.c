/* Messages whose envelopes talk.py knows. Four ranks: 0 sends to 1 on "pair 0" and to 2 on MPI_COMM_WORLD, with a tag
 * that not every MPI allows; 1 sends one that 0 gives up to wait for; 3 sends one on "pair 1" that nobody receives; 3
 * sends to nobody; 0 puts into the memory of 1. ask: as a program that asks for MPI_TAG_UB. */
#include "check.h"

enum { LARGE_TAG = 40000, GIVEN_UP = 77, LOST = 78 };

static char data[4000];

static void on_pair(MPI_Comm pair, int rank)
{
    MPI_Request request;
    if (rank == 0) {
        CALL(MPI_Irecv)(data, 4, MPI_BYTE, 1, GIVEN_UP, pair, &request);
        CALL(MPI_Request_free)(&request);
        for (int i = 0; i < 5; i++)
            CALL(MPI_Send)(data, 100, MPI_BYTE, 1, 1, pair);
    } else if (rank == 1) {
        for (int i = 0; i < 5; i++)
            CALL(MPI_Recv)(data, 100, MPI_BYTE, 0, 1, pair, MPI_STATUS_IGNORE);
        CALL(MPI_Ssend)(data, 4, MPI_BYTE, 0, GIVEN_UP, pair);
    } else if (rank == 3) {
        CALL(MPI_Send)(data, 4, MPI_BYTE, 0, LOST, pair);
    }
}

static void on_world(int rank)
{
    for (int i = 0; i < 3; i++) {
        if (rank == 0)
            CALL(MPI_Send)(data, 4000, MPI_BYTE, 2, LARGE_TAG, MPI_COMM_WORLD);
        if (rank == 2)
            CALL(MPI_Recv)(data, 4000, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 2 && rank == 3; i++)
        CALL(MPI_Send)(data, 8, MPI_BYTE, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
}

static void into_memory(MPI_Comm pair, int rank)
{
    MPI_Win window;
    void *base;
    CALL(MPI_Win_allocate)(64, 1, MPI_INFO_NULL, pair, &base, &window);
    check_made("window", "MPI_Win_allocate", 1);
    CALL(MPI_Win_fence)(0, window);
    if (rank == 0)
        CALL(MPI_Put)(data, 64, MPI_BYTE, 1, 0, 64, MPI_BYTE, window);
    CALL(MPI_Win_fence)(0, window);
    CALL(MPI_Win_free)(&window);
    check_freed("window", "MPI_Win_free", 1);
}

int main(int argc, char **argv)
{
    MPI_Comm pair;
    char name[32];
    int rank, found, *largest;
    check_skip("bytes"); /* talk.py looks at who sent them to whom */
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    if (argc > 1)
        CALL(MPI_Comm_get_attr)(MPI_COMM_WORLD, MPI_TAG_UB, &largest, &found);
    CALL(MPI_Comm_split)(MPI_COMM_WORLD, rank / 2, rank, &pair);
    check_made("communicator", "MPI_Comm_split", 1);
    snprintf(name, sizeof name, "pair %d", rank / 2);
    CALL(MPI_Comm_set_name)(pair, name);
    on_pair(pair, rank);
    on_world(rank);
    into_memory(pair, rank);
    if (rank < 2) { /* MPICH 4.2 refuses to free "pair 1": a message waits there */
        CALL(MPI_Comm_free)(&pair);
        check_freed("communicator", "MPI_Comm_free", 1);
    }
    CALL(MPI_Finalize)();
    return check_write();
}
