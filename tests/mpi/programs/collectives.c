/* Every blocking collective, its v and w form, with root and everywhere, with MPI_IN_PLACE and with zero counts:
   one call each, and the bytes that this process passes in and takes out. */
#include "check.h"

enum { MAX = 8, N = 3 }; /* at most MAX processes, N integers each */

static int rank, size;
static MPI_Comm team;
static int out[MAX * MAX], in[MAX * MAX], counts[MAX], places[MAX], byte_places[MAX];
static MPI_Datatype types[MAX];
static const long unit = sizeof(int) * N;

/* The bytes of all processes with counts[i] = i + 1. */
static long triangle(void)
{
    return (long)sizeof(int) * size * (size + 1) / 2;
}

static void rooted(int root)
{
    bool mine = rank == root;
    long all = unit * size;
    long own = (long)sizeof(int) * (rank + 1);
    CALL(MPI_Bcast)(out, N, MPI_INT, root, team);
    check_bytes("MPI_Bcast", "team", mine ? unit : 0, mine ? 0 : unit);
    CALL(MPI_Gather)(out, N, MPI_INT, in, N, MPI_INT, root, team);
    check_bytes("MPI_Gather", "team", unit, mine ? all : 0);
    CALL(MPI_Gatherv)(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, root, team);
    check_bytes("MPI_Gatherv", "team", own, mine ? triangle() : 0);
    CALL(MPI_Scatter)(out, N, MPI_INT, in, N, MPI_INT, root, team);
    check_bytes("MPI_Scatter", "team", mine ? all : 0, unit);
    CALL(MPI_Scatterv)(out, counts, places, MPI_INT, in, rank + 1, MPI_INT, root, team);
    check_bytes("MPI_Scatterv", "team", mine ? triangle() : 0, own);
    CALL(MPI_Reduce)(out, in, N, MPI_INT, MPI_SUM, root, team);
    check_bytes("MPI_Reduce", "team", unit, mine ? unit : 0);
}

static void everywhere(void)
{
    long all = unit * size;
    long own = (long)sizeof(int) * (rank + 1);
    CALL(MPI_Barrier)(team);
    CALL(MPI_Allgather)(out, N, MPI_INT, in, N, MPI_INT, team);
    check_bytes("MPI_Allgather", "team", unit, all);
    CALL(MPI_Allgatherv)(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, team);
    check_bytes("MPI_Allgatherv", "team", own, triangle());
    CALL(MPI_Alltoall)(out, N, MPI_INT, in, N, MPI_INT, team);
    check_bytes("MPI_Alltoall", "team", all, all);
    CALL(MPI_Allreduce)(out, in, N, MPI_INT, MPI_SUM, team);
    check_bytes("MPI_Allreduce", "team", unit, unit);
    CALL(MPI_Scan)(out, in, N, MPI_INT, MPI_SUM, team);
    check_bytes("MPI_Scan", "team", unit, unit);
    CALL(MPI_Exscan)(out, in, N, MPI_INT, MPI_SUM, team);
    check_bytes("MPI_Exscan", "team", unit, rank > 0 ? unit : 0);
    CALL(MPI_Reduce_scatter)(out, in, counts, MPI_INT, MPI_SUM, team);
    check_bytes("MPI_Reduce_scatter", "team", triangle(), own);
    CALL(MPI_Reduce_scatter_block)(out, in, N, MPI_INT, MPI_SUM, team);
    check_bytes("MPI_Reduce_scatter_block", "team", all, unit);
}

/* Process r sends r + 1 integers to everybody, so it receives i + 1 from process i. */
static void all_to_all_v(void)
{
    int equal[MAX];
    long own = (long)sizeof(int) * (rank + 1) * size;
    for (int i = 0; i < size; i++)
        equal[i] = rank + 1;
    CALL(MPI_Alltoallv)(out, equal, places, MPI_INT, in, counts, places, MPI_INT, team);
    check_bytes("MPI_Alltoallv", "team", own, triangle());
    CALL(MPI_Alltoallw)(out, equal, byte_places, types, in, counts, byte_places, types, team);
    check_bytes("MPI_Alltoallw", "team", own, triangle());
}

static void zero_counts(void)
{
    int none[MAX] = {0};
    CALL(MPI_Bcast)(NULL, 0, MPI_INT, 0, team);
    check_bytes("MPI_Bcast", "team", 0, 0);
    CALL(MPI_Allreduce)(out, in, 0, MPI_INT, MPI_SUM, team);
    CALL(MPI_Gather)(NULL, 0, MPI_INT, in, 0, MPI_INT, 0, team);
    CALL(MPI_Alltoallv)(out, none, places, MPI_INT, in, none, places, MPI_INT, team);
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    CHECK(size <= MAX);
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &team);
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Comm_set_name)(team, "team");
    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        places[i] = i * MAX;
        byte_places[i] = places[i] * (int)sizeof(int);
        types[i] = MPI_INT;
    }
    for (int i = 0; i < MAX * MAX; i++)
        out[i] = rank + i;
    for (int root = 0; root < size; root++)
        rooted(root);
    everywhere();
    all_to_all_v();
    zero_counts();
    CALL(MPI_Allreduce)(&rank, in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_bytes("MPI_Allreduce", "MPI_COMM_WORLD", 4, 4);
    CHECK(in[0] == size * (size - 1) / 2);
    CALL(MPI_Comm_free)(&team);
    check_freed("communicator", "MPI_Comm_free", 1);
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
