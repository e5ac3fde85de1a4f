/* Every blocking point-to-point call is counted once, with the bytes that really moved, on its communicator. */
#include "check.h"

#define PAIR "pair"

static int rank, other;
static MPI_Comm pair;

static void send_modes(void)
{
    double data[16] = {0};
    char buffer[16 * sizeof(double) + MPI_BSEND_OVERHEAD];
    int bytes;
    void *detached;
    if (rank == 0) {
        CALL(MPI_Send)(data, 16, MPI_DOUBLE, other, 1, pair);
        check_bytes("MPI_Send", PAIR, 128, 0);
        CALL(MPI_Ssend)(data, 3, MPI_DOUBLE, other, 2, pair);
        check_bytes("MPI_Ssend", PAIR, 24, 0);
        CALL(MPI_Buffer_attach)(buffer, sizeof buffer);
        CALL(MPI_Bsend)(data, 16, MPI_DOUBLE, other, 3, pair);
        check_bytes("MPI_Bsend", PAIR, 128, 0);
        CALL(MPI_Buffer_detach)(&detached, &bytes);
        CALL(MPI_Recv)(NULL, 0, MPI_BYTE, other, 4, pair, MPI_STATUS_IGNORE);
        CALL(MPI_Rsend)(data, 2, MPI_DOUBLE, other, 5, pair);
        check_bytes("MPI_Rsend", PAIR, 16, 0);
        return;
    }
    MPI_Request ready;
    MPI_Status status;
    int count;
    /* Room for more than arrives: what counts is what arrived. */
    CALL(MPI_Recv)(data, 16, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, pair, &status);
    CALL(MPI_Get_count)(&status, MPI_DOUBLE, &count);
    CHECK(status.MPI_SOURCE == other && status.MPI_TAG == 1 && count == 16);
    CALL(MPI_Recv)(data, 16, MPI_DOUBLE, other, 2, pair, MPI_STATUS_IGNORE);
    CALL(MPI_Recv)(data, 16, MPI_DOUBLE, other, 3, pair, MPI_STATUS_IGNORE);
    check_bytes("MPI_Recv", PAIR, 0, 128 + 24 + 128);
    CALL(MPI_Irecv)(data, 2, MPI_DOUBLE, other, 5, pair, &ready);
    CALL(MPI_Send)(NULL, 0, MPI_BYTE, other, 4, pair);
    CALL(MPI_Wait)(&ready, MPI_STATUS_IGNORE);
    check_bytes("MPI_Irecv", PAIR, 0, 16);
}

static void both_ways(void)
{
    int out[4] = {rank, 1, 2, 3}, in[8] = {0};
    CALL(MPI_Sendrecv)(out, 4, MPI_INT, other, 6, in, 8, MPI_INT, other, 6, pair, MPI_STATUS_IGNORE);
    check_bytes("MPI_Sendrecv", PAIR, 16, 16);
    CHECK(in[0] == other);
    CALL(MPI_Sendrecv_replace)(out, 3, MPI_INT, other, 7, other, 7, pair, MPI_STATUS_IGNORE);
    check_bytes("MPI_Sendrecv_replace", PAIR, 12, 12);
    /* Nothing goes to or comes from MPI_PROC_NULL; its type and count are fine all the same. */
    CALL(MPI_Send)(out, 4, MPI_INT, MPI_PROC_NULL, 8, pair);
    CALL(MPI_Recv)(in, 8, MPI_INT, MPI_PROC_NULL, 8, pair, MPI_STATUS_IGNORE);
    CALL(MPI_Sendrecv)(out, 4, MPI_INT, MPI_PROC_NULL, 8, in, 8, MPI_INT, MPI_PROC_NULL, 8, pair, MPI_STATUS_IGNORE);
}

static void probes(void)
{
    int data[5] = {0}, flag = 0;
    MPI_Message message;
    MPI_Status status;
    if (rank == 0) {
        for (int tag = 10; tag < 14; tag++)
            CALL(MPI_Send)(data, 5, MPI_INT, other, tag, pair);
        check_bytes("MPI_Send", PAIR, 4 * 20, 0);
        return;
    }
    CALL(MPI_Probe)(other, 10, pair, &status);
    CALL(MPI_Recv)(data, 5, MPI_INT, other, 10, pair, MPI_STATUS_IGNORE);
    while (!flag)
        CALL(MPI_Iprobe)(other, 11, pair, &flag, MPI_STATUS_IGNORE);
    CALL(MPI_Recv)(data, 5, MPI_INT, other, 11, pair, &status);
    check_bytes("MPI_Recv", PAIR, 0, 40);
    CALL(MPI_Mprobe)(other, 12, pair, &message, MPI_STATUS_IGNORE);
    CALL(MPI_Mrecv)(data, 5, MPI_INT, &message, MPI_STATUS_IGNORE);
    check_bytes("MPI_Mrecv", PAIR, 0, 20);
    CALL(MPI_Mprobe)(other, 13, pair, &message, &status);
    MPI_Request request;
    CALL(MPI_Imrecv)(data, 5, MPI_INT, &message, &request);
    CALL(MPI_Wait)(&request, &status);
    check_bytes("MPI_Imrecv", PAIR, 0, 20);
    CALL(MPI_Mprobe)(MPI_PROC_NULL, 13, pair, &message, MPI_STATUS_IGNORE);
    CALL(MPI_Mrecv)(data, 5, MPI_INT, &message, MPI_STATUS_IGNORE);
}

/* A type with holes: its size counts, not its extent. */
static void holes(void)
{
    MPI_Datatype column;
    double matrix[16] = {0};
    CALL(MPI_Type_vector)(4, 1, 4, MPI_DOUBLE, &column);
    check_made("datatype", "MPI_Type_vector", 1);
    CALL(MPI_Type_commit)(&column);
    if (rank == 0) {
        CALL(MPI_Send)(matrix, 1, column, other, 20, pair);
        check_bytes("MPI_Send", PAIR, 32, 0);
    } else {
        CALL(MPI_Recv)(matrix, 1, column, other, 20, pair, MPI_STATUS_IGNORE);
        check_bytes("MPI_Recv", PAIR, 0, 32);
    }
    CALL(MPI_Type_free)(&column);
    check_freed("datatype", "MPI_Type_free", 1);
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &pair);
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Comm_set_name)(pair, PAIR);
    send_modes();
    both_ways();
    probes();
    holes();
    CALL(MPI_Comm_free)(&pair);
    check_freed("communicator", "MPI_Comm_free", 1);
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    check_outcome("finalized");
    return check_write();
}
