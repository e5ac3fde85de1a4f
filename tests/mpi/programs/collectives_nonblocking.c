/* The nonblocking collectives: each call once, their bytes as of the blocking ones, the waiting on their communicator.
 */
#include "check.h"

enum { MAX = 8, N = 3, ALL = 17 };

static int rank, size;
static MPI_Comm team;
static int out[MAX * MAX], in[ALL][MAX * MAX], counts[MAX], equal[MAX], places[MAX], byte_places[MAX];
static MPI_Datatype types[MAX];
static const long unit = sizeof(int) * N;

static void start_rooted(MPI_Request *request, int root)
{
    bool mine = rank == root;
    long all = unit * size;
    CALL(MPI_Ibcast)(in[0], N, MPI_INT, root, team, &request[0]);
    check_bytes("MPI_Ibcast", "team", mine ? unit : 0, mine ? 0 : unit);
    CALL(MPI_Igather)(out, N, MPI_INT, in[1], N, MPI_INT, root, team, &request[1]);
    check_bytes("MPI_Igather", "team", unit, mine ? all : 0);
    CALL(MPI_Igatherv)(out, N, MPI_INT, in[2], equal, places, MPI_INT, root, team, &request[2]);
    check_bytes("MPI_Igatherv", "team", unit, mine ? all : 0);
    CALL(MPI_Iscatter)(out, N, MPI_INT, in[3], N, MPI_INT, root, team, &request[3]);
    check_bytes("MPI_Iscatter", "team", mine ? all : 0, unit);
    CALL(MPI_Iscatterv)(out, equal, places, MPI_INT, in[4], N, MPI_INT, root, team, &request[4]);
    check_bytes("MPI_Iscatterv", "team", mine ? all : 0, unit);
    CALL(MPI_Ireduce)(out, in[5], N, MPI_INT, MPI_SUM, root, team, &request[5]);
    check_bytes("MPI_Ireduce", "team", unit, mine ? unit : 0);
}

static void start_everywhere(MPI_Request *request)
{
    long all = unit * size;
    CALL(MPI_Ibarrier)(team, &request[6]);
    CALL(MPI_Iallgather)(out, N, MPI_INT, in[7], N, MPI_INT, team, &request[7]);
    check_bytes("MPI_Iallgather", "team", unit, all);
    CALL(MPI_Iallgatherv)(out, N, MPI_INT, in[8], equal, places, MPI_INT, team, &request[8]);
    check_bytes("MPI_Iallgatherv", "team", unit, all);
    CALL(MPI_Ialltoall)(out, N, MPI_INT, in[9], N, MPI_INT, team, &request[9]);
    check_bytes("MPI_Ialltoall", "team", all, all);
    CALL(MPI_Ialltoallv)(out, equal, places, MPI_INT, in[10], equal, places, MPI_INT, team, &request[10]);
    check_bytes("MPI_Ialltoallv", "team", all, all);
    CALL(MPI_Ialltoallw)(out, equal, byte_places, types, in[11], equal, byte_places, types, team, &request[11]);
    check_bytes("MPI_Ialltoallw", "team", all, all);
    CALL(MPI_Iallreduce)(out, in[12], N, MPI_INT, MPI_SUM, team, &request[12]);
    check_bytes("MPI_Iallreduce", "team", unit, unit);
    CALL(MPI_Iscan)(out, in[13], N, MPI_INT, MPI_SUM, team, &request[13]);
    check_bytes("MPI_Iscan", "team", unit, unit);
    CALL(MPI_Iexscan)(out, in[14], N, MPI_INT, MPI_SUM, team, &request[14]);
    check_bytes("MPI_Iexscan", "team", unit, rank > 0 ? unit : 0);
    CALL(MPI_Ireduce_scatter)(out, in[15], equal, MPI_INT, MPI_SUM, team, &request[15]);
    check_bytes("MPI_Ireduce_scatter", "team", all, unit);
    CALL(MPI_Ireduce_scatter_block)(out, in[16], N, MPI_INT, MPI_SUM, team, &request[16]);
    check_bytes("MPI_Ireduce_scatter_block", "team", all, unit);
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &team);
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Comm_set_name)(team, "team");
    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        equal[i] = N;
        places[i] = i * N;
        byte_places[i] = places[i] * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    for (int i = 0; i < MAX * MAX; i++)
        out[i] = rank + i;
    for (int root = 0; root < size; root++) {
        MPI_Request requests[ALL];
        start_rooted(requests, root);
        start_everywhere(requests);
        CALL(MPI_Waitall)(ALL, requests, MPI_STATUSES_IGNORE);
        CHECK(in[12][0] == size * (size - 1) / 2);
    }
    check_sql("SELECT sum(calls) = %d FROM calls WHERE function = 'MPI_Waitall' AND communicator = 'team'", size);
    CALL(MPI_Comm_free)(&team);
    check_freed("communicator", "MPI_Comm_free", 1);
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
