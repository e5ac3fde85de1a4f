/* Persistent requests of MPI 4: collectives and partitioned messages. The bytes count at each start. */
#include "check.h"

enum { ROUNDS = 3, PARTS = 4 };

static int rank, other;
static MPI_Comm lane;

static void collectives(void)
{
    int value = rank, sum = 0;
    MPI_Request request;
    CALL(MPI_Allreduce_init)(&value, &sum, 1, MPI_INT, MPI_SUM, lane, MPI_INFO_NULL, &request);
    for (int i = 0; i < ROUNDS; i++) {
        CALL(MPI_Start)(&request);
        CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
        CHECK(sum == 1);
    }
    CALL(MPI_Request_free)(&request);
}

static void partitions(void)
{
    double data[PARTS * 2] = {0};
    MPI_Request request;
    if (rank == 0)
        CALL(MPI_Psend_init)(data, PARTS, 2, MPI_DOUBLE, other, 3, lane, MPI_INFO_NULL, &request);
    else
        CALL(MPI_Precv_init)(data, PARTS, 2, MPI_DOUBLE, other, 3, lane, MPI_INFO_NULL, &request);
    for (int i = 0; i < ROUNDS; i++) {
        CALL(MPI_Start)(&request);
        for (int part = 0; rank == 0 && part < PARTS; part++)
            CALL(MPI_Pready)(part, request);
        CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    }
    CALL(MPI_Request_free)(&request);
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &lane);
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Comm_set_name)(lane, "lane");
    collectives();
    partitions();
    CALL(MPI_Comm_free)(&lane);
    check_freed("communicator", "MPI_Comm_free", 1);
    check_say("rank %d done", rank);
    /* callsign may choose the function that gets the bytes of a start; the number of sent bytes is fixed. No status
       shows what a partitioned receive got. */
    check_skip("bytes");
    int reduced = 4 * ROUNDS, moved = 8 * 2 * PARTS * ROUNDS;
    check_sql("SELECT sum(sent_bytes) = %d AND sum(received_bytes) >= %d FROM calls WHERE communicator = 'lane'",
              reduced + (rank == 0 ? moved : 0), reduced);
    CALL(MPI_Finalize)();
    return check_write();
}
