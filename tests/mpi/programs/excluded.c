/* Calls that give a communicator to some and MPI_COMM_NULL to others, and a communicator that is freed while requests
   on it are pending. Three ranks. */
#include "check.h"

static int rank, size;

static void take(MPI_Comm made, const char *name, const char *function, int number)
{
    check_sql(
        "SELECT count(*) = %d FROM exclusions WHERE function = '%s' AND parent = 'MPI_COMM_WORLD' AND number = %d AND "
        "family IS NOT NULL AND location IS NOT NULL",
        made == MPI_COMM_NULL, function, number);
    if (made == MPI_COMM_NULL)
        return;
    check_made("communicator", function, 1);
    CALL(MPI_Comm_set_name)(made, name);
    CALL(MPI_Comm_free)(&made);
    check_freed("communicator", "MPI_Comm_free", 1);
}

static void leave_out(void)
{
    MPI_Comm made;
    MPI_Group all, some;
    int dims[1] = {2}, periods[1] = {0}, ranks[1] = {0};
    CALL(MPI_Comm_split)(MPI_COMM_WORLD, 0, 0, &made);
    take(made, "all", "MPI_Comm_split", 1);
    CALL(MPI_Comm_split)(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : rank, 0, &made);
    take(made, rank == 1 ? "one" : "two", "MPI_Comm_split", 2);
    CALL(MPI_Comm_group)(MPI_COMM_WORLD, &all);
    CALL(MPI_Group_excl)(all, 1, ranks, &some);
    CALL(MPI_Comm_create)(MPI_COMM_WORLD, some, &made);
    take(made, "rows", "MPI_Comm_create", 1);
    CALL(MPI_Group_free)(&all);
    CALL(MPI_Group_free)(&some);
    CALL(MPI_Cart_create)(MPI_COMM_WORLD, 1, dims, periods, 0, &made);
    take(made, "grid", "MPI_Cart_create", 1);
    check_sql("SELECT count(*) = %d FROM exclusion", rank == 0 ? 2 : rank == 2);
}

static void free_early(void)
{
    MPI_Comm early;
    MPI_Request request[3];
    int in[2], out = rank, to = (rank + 1) % size, from = (rank + size - 1) % size;
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &early);
    CALL(MPI_Comm_set_name)(early, "early");
    for (int i = 0; i < 2; i++)
        CALL(MPI_Irecv)(&in[i], 1, MPI_INT, from, i, early, &request[i]);
    CALL(MPI_Ibarrier)(MPI_COMM_WORLD, &request[2]);
    for (int i = 0; i < 2; i++)
        CALL(MPI_Send)(&out, 1, MPI_INT, to, i, early);
    CALL(MPI_Comm_free)(&early);
    CALL(MPI_Waitall)(3, request, MPI_STATUSES_IGNORE);
    CHECK(in[0] == from && in[1] == from);
    check_made("communicator", "MPI_Comm_dup", 1);
    check_freed("communicator", "MPI_Comm_free", 1);
    check_bytes("MPI_Irecv", "early", 0, 8);
    check_bytes("MPI_Send", "early", 8, 0);
    check_sql("SELECT sum(requests) = 2 AND min(function) = 'MPI_Irecv' AND min(label) = 'early' AND "
              "min(freed_by) = 'MPI_Comm_free' FROM pending_requests");
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    leave_out();
    free_early();
    check_say("rank %d is done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
