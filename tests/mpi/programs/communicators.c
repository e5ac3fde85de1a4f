/* Every way to make a communicator: birth, parent, size, name and death; MPI_COMM_NULL is no object. */
#include "check.h"

static int rank, size;
static const char *const freed = "MPI_Comm_free";

/* Names a new communicator, states what the trace must know of it, and frees it with `by`. */
static void follow(MPI_Comm comm, const char *name, const char *function, const char *parent)
{
    int members, own;
    check_made("communicator", function, 1);
    CALL(MPI_Comm_set_name)(comm, name);
    CALL(MPI_Comm_size)(comm, &members);
    CALL(MPI_Comm_rank)(comm, &own);
    check_sql("SELECT f.name = '%s' AND p.name = '%s' AND o.name_origin = 'program' FROM object o JOIN function f "
              "USING (function) "
              "JOIN object p ON p.object = o.parent WHERE o.name = '%s'",
              function, parent, name);
    check_sql("SELECT size = %d AND own_rank = %d FROM object JOIN communicator USING (object) WHERE name = '%s'",
              members, own, name);
    check_sql(
        "SELECT created_ns <= freed_ns AND site IS NOT NULL AND freed_site IS NOT NULL FROM object WHERE name = '%s'",
        name);
    CALL(MPI_Comm_free)(&comm);
    check_freed("communicator", freed, 1);
    CHECK(comm == MPI_COMM_NULL);
}

static void duplicates(MPI_Comm parent)
{
    MPI_Comm comm;
    MPI_Request request;
    CALL(MPI_Comm_dup)(parent, &comm);
    follow(comm, "dup", "MPI_Comm_dup", "parent");
    CALL(MPI_Comm_dup_with_info)(parent, MPI_INFO_NULL, &comm);
    follow(comm, "dup_with_info", "MPI_Comm_dup_with_info", "parent");
    CALL(MPI_Comm_idup)(parent, &comm, &request);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    follow(comm, "idup", "MPI_Comm_idup", "parent");
}

static void splits(MPI_Comm parent)
{
    MPI_Comm comm;
    CALL(MPI_Comm_split)(parent, rank % 2, -rank, &comm);
    follow(comm, "split", "MPI_Comm_split", "parent");
    CALL(MPI_Comm_split)(parent, rank == 0 ? MPI_UNDEFINED : 1, rank, &comm);
    if (rank == 0)
        CHECK(comm == MPI_COMM_NULL);
    else
        follow(comm, "all but one", "MPI_Comm_split", "parent");
    CALL(MPI_Comm_split_type)(parent, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &comm);
    follow(comm, "split_type", "MPI_Comm_split_type", "parent");
}

static void from_groups(MPI_Comm parent)
{
    MPI_Comm comm;
    MPI_Group all, some;
    int first[2] = {0, 1};
    CALL(MPI_Comm_group)(parent, &all);
    CALL(MPI_Group_incl)(all, 2, first, &some);
    CALL(MPI_Comm_create)(parent, some, &comm);
    if (rank < 2) {
        follow(comm, "create", "MPI_Comm_create", "parent");
        CALL(MPI_Comm_create_group)(parent, some, 5, &comm);
        follow(comm, "create_group", "MPI_Comm_create_group", "parent");
    } else {
        CHECK(comm == MPI_COMM_NULL);
    }
    CALL(MPI_Group_free)(&some);
    CALL(MPI_Group_free)(&all);
}

/* Open MPI 5 takes both of these for grids, and crashes when it is asked for their dimensions. */
static void of_a_grid(MPI_Comm grid)
{
    MPI_Comm comm;
    MPI_Group group;
    int neighbor = (rank + 1) % size, before = (rank + size - 1) % size;
    CALL(MPI_Comm_group)(grid, &group);
    CALL(MPI_Comm_create_group)(grid, group, 6, &comm);
    CALL(MPI_Group_free)(&group);
    check_sql("SELECT topology = 'none' FROM communicator JOIN object USING (object) WHERE name = 'group of a grid'");
    follow(comm, "group of a grid", "MPI_Comm_create_group", "grid");
    CALL(MPI_Dist_graph_create_adjacent)
    (grid, 1, &before, MPI_UNWEIGHTED, 1, &neighbor, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    check_sql("SELECT topology = 'dist_graph' FROM communicator JOIN object USING (object) WHERE name = 'graph of a "
              "grid'");
    follow(comm, "graph of a grid", "MPI_Dist_graph_create_adjacent", "grid");
}

static void topologies(MPI_Comm parent)
{
    MPI_Comm comm, row, fresh;
    int dims[2] = {size, 1}, periods[2] = {0, 0}, keep[2] = {0, 1}, index[2] = {1, 2}, edges[2] = {1, 0};
    CALL(MPI_Cart_create)(parent, 2, dims, periods, 0, &comm);
    CALL(MPI_Comm_set_name)(comm, "grid");
    CALL(MPI_Cart_sub)(comm, keep, &row);
    follow(row, "row", "MPI_Cart_sub", "grid");
    of_a_grid(comm);
    follow(comm, "grid", "MPI_Cart_create", "parent");
    CALL(MPI_Graph_create)(parent, 2, index, edges, 0, &comm);
    if (comm != MPI_COMM_NULL)
        follow(comm, "graph", "MPI_Graph_create", "parent");
    int degree = 1, self = rank, neighbor = (rank + 1) % size;
    DUP_FOR_DIST_GRAPH(parent, &fresh);
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Comm_set_name)(fresh, "fresh");
    CALL(MPI_Dist_graph_create)
    (fresh, 1, &self, &degree, &neighbor, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    follow(comm, "dist_graph", "MPI_Dist_graph_create", "fresh");
    CALL(MPI_Comm_free)(&fresh);
    check_freed("communicator", freed, 1);
}

int main(int argc, char **argv)
{
    MPI_Comm parent, left, gone;
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &parent);
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Comm_set_name)(parent, "parent");
    duplicates(parent);
    splits(parent);
    from_groups(parent);
    topologies(parent);
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &gone);
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Comm_set_name)(gone, "disconnected");
    CALL(MPI_Comm_disconnect)(&gone);
    check_freed("communicator", "MPI_Comm_disconnect", 1);
    CALL(MPI_Comm_dup)(MPI_COMM_SELF, &left);
    check_made("communicator", "MPI_Comm_dup", 1);
    CALL(MPI_Comm_set_name)(left, "left behind");
    check_sql("SELECT freed_ns IS NULL FROM object WHERE name = 'left behind'");
    check_sql("SELECT count(*) = 1 FROM leaks WHERE name = 'left behind' AND kind = 'communicator'");
    check_sql("SELECT p.name = 'MPI_COMM_SELF' FROM object o JOIN object p ON p.object = o.parent WHERE o.name = 'left "
              "behind'");
    check_sql("SELECT name_origin = 'mpi' AND function IS NULL FROM object WHERE name = 'MPI_COMM_WORLD'");
    CALL(MPI_Comm_free)(&parent);
    check_freed("communicator", freed, 1);
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
