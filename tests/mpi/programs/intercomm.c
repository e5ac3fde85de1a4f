/* Collectives on an intercommunicator: MPI_ROOT, MPI_PROC_NULL and a real root; the bytes of what crosses. */
#include "check.h"

enum { N = 4, MAX = 8 };

static int rank, size, left_size, right_size, local_rank;
static bool left;
static MPI_Comm half, bridge;
static int out[MAX * N], in[MAX * N];
static const long unit = N * sizeof(int);

/* Process 0 of the left side is the root. */
static void from_left(void)
{
    bool root = left && local_rank == 0;
    int who = root ? MPI_ROOT : left ? MPI_PROC_NULL : 0;
    CALL(MPI_Bcast)(out, N, MPI_INT, who, bridge);
    check_bytes("MPI_Bcast", "bridge", root ? unit : 0, left ? 0 : unit);
    CALL(MPI_Gather)(out, N, MPI_INT, in, N, MPI_INT, who, bridge);
    check_bytes("MPI_Gather", "bridge", left ? 0 : unit, root ? unit * right_size : 0);
    CALL(MPI_Scatter)(out, N, MPI_INT, in, N, MPI_INT, who, bridge);
    check_bytes("MPI_Scatter", "bridge", root ? unit * right_size : 0, left ? 0 : unit);
    CALL(MPI_Reduce)(out, in, N, MPI_INT, MPI_SUM, who, bridge);
    check_bytes("MPI_Reduce", "bridge", left ? 0 : unit, root ? unit : 0);
}

static void across(void)
{
    int remote = left ? right_size : left_size;
    CALL(MPI_Barrier)(bridge);
    CALL(MPI_Allgather)(out, N, MPI_INT, in, N, MPI_INT, bridge);
    check_bytes("MPI_Allgather", "bridge", unit, unit * remote);
    CALL(MPI_Alltoall)(out, N, MPI_INT, in, N, MPI_INT, bridge);
    check_bytes("MPI_Alltoall", "bridge", unit * remote, unit * remote);
    CALL(MPI_Allreduce)(out, in, N, MPI_INT, MPI_SUM, bridge);
    check_bytes("MPI_Allreduce", "bridge", unit, unit);
}

static void derive(void)
{
    MPI_Comm twin, whole, part;
    CALL(MPI_Comm_dup)(bridge, &twin);
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Comm_set_name)(twin, "twin");
    CALL(MPI_Intercomm_merge)(bridge, !left, &whole);
    check_made("communicator", "MPI_Intercomm_merge", 1);
    CALL(MPI_Comm_set_name)(whole, "whole");
    CALL(MPI_Comm_split)(bridge, 0, 0, &part);
    check_made("communicator", "MPI_Comm_split", 1);
    CALL(MPI_Comm_set_name)(part, "part");
    check_sql("SELECT p.name = 'bridge' FROM object o JOIN object p ON p.object = o.parent WHERE o.name = 'twin'");
    check_sql("SELECT p.name = 'bridge' FROM object o JOIN object p ON p.object = o.parent WHERE o.name = 'whole'");
    check_sql(
        "SELECT remote_size IS NULL AND size = %d FROM object JOIN communicator USING (object) WHERE name = 'whole'",
        size);
    check_sql("SELECT size = %d AND remote_size = %d AND own_rank = %d FROM object JOIN communicator USING (object) "
              "WHERE name = 'part'",
              left ? left_size : right_size, left ? right_size : left_size, local_rank);
    CALL(MPI_Comm_free)(&twin);
    CALL(MPI_Comm_free)(&whole);
    CALL(MPI_Comm_free)(&part);
    check_freed("communicator", "MPI_Comm_free", 3);
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    left_size = size / 2 + size % 2; /* even ranks */
    right_size = size / 2;
    left = rank % 2 == 0;
    CALL(MPI_Comm_split)(MPI_COMM_WORLD, left, rank, &half);
    check_made("communicator", "MPI_Comm_split", 1);
    CALL(MPI_Comm_set_name)(half, "half");
    CALL(MPI_Comm_rank)(half, &local_rank);
    CALL(MPI_Intercomm_create)(half, 0, MPI_COMM_WORLD, left ? 1 : 0, 77, &bridge);
    check_made("communicator", "MPI_Intercomm_create", 1);
    CALL(MPI_Comm_set_name)(bridge, "bridge");
    check_sql("SELECT p.name = 'half' FROM object o JOIN object p ON p.object = o.parent WHERE o.name = 'bridge'");
    check_sql("SELECT remote_size = %d FROM object JOIN communicator USING (object) WHERE name = 'bridge'",
              left ? right_size : left_size);
    from_left();
    across();
    derive();
    CALL(MPI_Comm_free)(&bridge);
    CALL(MPI_Comm_free)(&half);
    check_freed("communicator", "MPI_Comm_free", 2);
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
