/* Ranks that are not in a communicator: every function that gives one to some ranks and MPI_COMM_NULL to others, or
   that some ranks do not call. left_out.py checks the traces. Four ranks. */
#include "check.h"

static int rank;

/* The result of a call on this rank. */
static void take(MPI_Comm made, bool in, const char *name, const char *function)
{
    CHECK((made != MPI_COMM_NULL) == in);
    if (made == MPI_COMM_NULL)
        return;
    check_made("communicator", function, 1);
    CALL(MPI_Comm_set_name)(made, name);
    CALL(MPI_Comm_free)(&made);
    check_freed("communicator", "MPI_Comm_free", 1);
}

static void by_color(void)
{
    MPI_Comm made;
    CALL(MPI_Comm_split)(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 7, 0, &made);
    take(made, rank != 1, "colored", "MPI_Comm_split");
    CALL(MPI_Comm_split_type)
    (MPI_COMM_WORLD, rank == 2 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
    take(made, rank != 2, "node", "MPI_Comm_split_type");
    CALL(MPI_Comm_split)(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &made);
    take(made, false, "nobody", "MPI_Comm_split");
}

static void by_group(void)
{
    MPI_Comm made;
    MPI_Group all, some;
    int range[1][3] = {{1, 2, 1}};
    bool in = rank == 1 || rank == 2;
    CALL(MPI_Comm_group)(MPI_COMM_WORLD, &all);
    CALL(MPI_Group_range_incl)(all, 1, range, &some);
    CALL(MPI_Comm_create)(MPI_COMM_WORLD, some, &made);
    take(made, in, "rows", "MPI_Comm_create");
    if (in) { /* others have no part in it */
        CALL(MPI_Comm_create_group)(MPI_COMM_WORLD, some, 5, &made);
        take(made, true, "members only", "MPI_Comm_create_group");
    }
    CALL(MPI_Group_free)(&some);
    CALL(MPI_Group_free)(&all);
}

static void by_topology(void)
{
    MPI_Comm made, line;
    int dims[2] = {3, 1}, periods[2] = {0, 0}, remain[2] = {1, 0}, index[2] = {1, 2}, edges[2] = {1, 0};
    CALL(MPI_Graph_create)(MPI_COMM_WORLD, 2, index, edges, 0, &made);
    take(made, rank < 2, "graph", "MPI_Graph_create");
    CALL(MPI_Cart_create)(MPI_COMM_WORLD, 2, dims, periods, 0, &made);
    if (made != MPI_COMM_NULL) {
        CALL(MPI_Cart_sub)(made, remain, &line);
        take(line, true, "line", "MPI_Cart_sub");
    }
    take(made, rank < 3, "grid", "MPI_Cart_create");
}

/* Two groups of two; the second rank of each is left out by its group and then by its color. */
static void between_groups(void)
{
    MPI_Comm half, inter, made;
    MPI_Group all, some;
    int first[1] = {0};
    bool in = rank % 2 == 0;
    CALL(MPI_Comm_split)(MPI_COMM_WORLD, rank / 2, 0, &half);
    CALL(MPI_Intercomm_create)(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 9, &inter);
    CALL(MPI_Comm_set_name)(inter, "between");
    CALL(MPI_Comm_group)(inter, &all);
    CALL(MPI_Group_incl)(all, 1, first, &some);
    CALL(MPI_Comm_create)(inter, some, &made);
    take(made, in, "leaders", "MPI_Comm_create");
    CALL(MPI_Comm_split)(inter, in ? 0 : MPI_UNDEFINED, 0, &made);
    take(made, in, "colored leaders", "MPI_Comm_split");
    CALL(MPI_Group_free)(&some);
    CALL(MPI_Group_free)(&all);
    take(inter, true, "between", "MPI_Intercomm_create");
    take(half, true, "half", "MPI_Comm_split");
}

/* The MPI keeps what is freed while requests on it are pending. */
static void free_early(void)
{
    MPI_Comm early;
    MPI_Request request[4];
    int in[2], out = rank, peer = rank ^ 1;
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &early);
    CALL(MPI_Comm_set_name)(early, "early");
    for (int i = 0; i < 2; i++)
        CALL(MPI_Irecv)(&in[i], 1, MPI_INT, peer, i, early, &request[i]);
    CALL(MPI_Ibarrier)(MPI_COMM_WORLD, &request[2]);                  /* is pending on another one */
    CALL(MPI_Recv_init)(in, 1, MPI_INT, peer, 9, early, &request[3]); /* is not started, and thus not pending */
    for (int i = 0; i < 2; i++)
        CALL(MPI_Send)(&out, 1, MPI_INT, peer, i, early);
    CALL(MPI_Comm_free)(&early);
    CALL(MPI_Waitall)(3, request, MPI_STATUSES_IGNORE);
    CALL(MPI_Request_free)(&request[3]);
    CHECK(in[0] == peer && in[1] == peer);
    check_made("communicator", "MPI_Comm_dup", 1);
    check_freed("communicator", "MPI_Comm_free", 1);
    check_bytes("MPI_Irecv", "early", 0, 8);
    check_bytes("MPI_Send", "early", 8, 0);
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    by_color();
    by_group();
    by_topology();
    between_groups();
    free_early();
    check_say("rank %d is done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
