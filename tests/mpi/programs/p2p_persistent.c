/* Persistent requests: the bytes count at each start, not when the request is made; every call counts once. */
#include "check.h"

enum { ROUNDS = 5 };

static int rank, other;
static MPI_Comm lane;

static void rounds_of_one(void)
{
    double data[8] = {0};
    MPI_Request request;
    const char *made;
    if (rank == 0) {
        CALL(MPI_Send_init)(data, 8, MPI_DOUBLE, other, 1, lane, &request);
        made = "MPI_Send_init";
    } else {
        CALL(MPI_Recv_init)(data, 8, MPI_DOUBLE, other, 1, lane, &request);
        made = "MPI_Recv_init";
    }
    for (int i = 0; i < ROUNDS; i++) {
        CALL(MPI_Start)(&request);
        CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    }
    check_bytes(made, "lane", 0, 0);
    CHECK(request != MPI_REQUEST_NULL);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE); /* inactive: returns at once */
    CALL(MPI_Request_free)(&request);
    CHECK(request == MPI_REQUEST_NULL);
}

/* Both directions at once, started together, in every sending mode. */
static void rounds_of_many(void)
{
    int out[4] = {1, 2, 3, 4}, in[3][4];
    char buffer[3 * (sizeof out + MPI_BSEND_OVERHEAD)];
    MPI_Request requests[6];
    int bytes;
    void *detached;
    CALL(MPI_Buffer_attach)(buffer, sizeof buffer);
    for (int i = 0; i < 3; i++)
        CALL(MPI_Recv_init)(in[i], 4, MPI_INT, other, 10 + i, lane, &requests[i]);
    CALL(MPI_Ssend_init)(out, 4, MPI_INT, other, 10, lane, &requests[3]);
    CALL(MPI_Bsend_init)(out, 3, MPI_INT, other, 11, lane, &requests[4]);
    CALL(MPI_Rsend_init)(out, 2, MPI_INT, other, 12, lane, &requests[5]);
    for (int i = 0; i < ROUNDS; i++) {
        CALL(MPI_Startall)(3, requests);
        CALL(MPI_Barrier)(lane);
        CALL(MPI_Startall)(3, requests + 3);
        CALL(MPI_Waitall)(6, requests, MPI_STATUSES_IGNORE);
        CALL(MPI_Barrier)(lane); /* the buffer has room for one round */
    }
    CALL(MPI_Buffer_detach)(&detached, &bytes);
    for (int i = 0; i < 6; i++)
        CALL(MPI_Request_free)(&requests[i]);
    CHECK(in[1][2] == 3);
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &lane);
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Comm_set_name)(lane, "lane");
    rounds_of_one();
    rounds_of_many();
    CALL(MPI_Comm_free)(&lane);
    check_freed("communicator", "MPI_Comm_free", 1);
    check_say("rank %d done", rank);
    /* callsign may choose the function that gets the bytes of a start; their number is fixed. */
    check_skip("bytes");
    long each = 4 * (4 + 3 + 2) * ROUNDS;
    check_sql("SELECT sum(sent_bytes) = %ld AND sum(received_bytes) = %ld FROM calls WHERE communicator = 'lane'",
              each + (rank == 0 ? 64 * ROUNDS : 0), each + (rank == 1 ? 64 * ROUNDS : 0));
    CALL(MPI_Finalize)();
    return check_write();
}
