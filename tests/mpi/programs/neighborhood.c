/* Neighbourhood collectives: the partners are the neighbours, not all processes; a missing neighbour is no partner. */
#include "check.h"

enum { N = 2, MAX = 8 };

static int rank, size;
static int out[MAX * N], in[MAX * N], counts[MAX], places[MAX];
static MPI_Aint byte_places[MAX];
static MPI_Datatype types[MAX];
static const long unit = N * sizeof(int);

/* from and to: how many neighbours take part. */
static void all_kinds(MPI_Comm comm, const char *name, int from, int to)
{
    MPI_Request requests[5];
    CALL(MPI_Neighbor_allgather)(out, N, MPI_INT, in, N, MPI_INT, comm);
    check_bytes("MPI_Neighbor_allgather", name, unit * to, unit * from);
    CALL(MPI_Neighbor_allgatherv)(out, N, MPI_INT, in, counts, places, MPI_INT, comm);
    check_bytes("MPI_Neighbor_allgatherv", name, unit * to, unit * from);
    CALL(MPI_Neighbor_alltoall)(out, N, MPI_INT, in, N, MPI_INT, comm);
    check_bytes("MPI_Neighbor_alltoall", name, unit * to, unit * from);
    CALL(MPI_Neighbor_alltoallv)(out, counts, places, MPI_INT, in, counts, places, MPI_INT, comm);
    check_bytes("MPI_Neighbor_alltoallv", name, unit * to, unit * from);
    CALL(MPI_Neighbor_alltoallw)(out, counts, byte_places, types, in, counts, byte_places, types, comm);
    check_bytes("MPI_Neighbor_alltoallw", name, unit * to, unit * from);
    CALL(MPI_Ineighbor_allgather)(out, N, MPI_INT, in, N, MPI_INT, comm, &requests[0]);
    check_bytes("MPI_Ineighbor_allgather", name, unit * to, unit * from);
    CALL(MPI_Ineighbor_allgatherv)(out, N, MPI_INT, in + MAX, counts, places, MPI_INT, comm, &requests[1]);
    check_bytes("MPI_Ineighbor_allgatherv", name, unit * to, unit * from);
    CALL(MPI_Waitall)(2, requests, MPI_STATUSES_IGNORE);
    CALL(MPI_Ineighbor_alltoall)(out, N, MPI_INT, in, N, MPI_INT, comm, &requests[0]);
    check_bytes("MPI_Ineighbor_alltoall", name, unit * to, unit * from);
    CALL(MPI_Wait)(&requests[0], MPI_STATUS_IGNORE);
    CALL(MPI_Ineighbor_alltoallv)(out, counts, places, MPI_INT, in, counts, places, MPI_INT, comm, &requests[0]);
    check_bytes("MPI_Ineighbor_alltoallv", name, unit * to, unit * from);
    CALL(MPI_Wait)(&requests[0], MPI_STATUS_IGNORE);
    CALL(MPI_Ineighbor_alltoallw)
    (out, counts, byte_places, types, in, counts, byte_places, types, comm, &requests[0]);
    check_bytes("MPI_Ineighbor_alltoallw", name, unit * to, unit * from);
    CALL(MPI_Wait)(&requests[0], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    for (int i = 0; i < MAX; i++) {
        counts[i] = N;
        places[i] = i * N;
        byte_places[i] = (MPI_Aint)(places[i] * (int)sizeof(int));
        types[i] = MPI_INT;
    }
    MPI_Comm circle, line, star;
    int dims[1] = {size}, periodic[1] = {1}, open[1] = {0};
    CALL(MPI_Cart_create)(MPI_COMM_WORLD, 1, dims, periodic, 0, &circle);
    CALL(MPI_Comm_set_name)(circle, "circle");
    all_kinds(circle, "circle", 2, 2);
    /* On an open line the ends have MPI_PROC_NULL as a neighbour: its place in the buffers exists, but nothing moves.
     */
    CALL(MPI_Cart_create)(MPI_COMM_WORLD, 1, dims, open, 0, &line);
    CALL(MPI_Comm_set_name)(line, "line");
    check_made("communicator", "MPI_Cart_create", 2);
    int real = (rank > 0) + (rank < size - 1);
    all_kinds(line, "line", real, real);
    /* All others send to process 0, which sends to nobody. */
    int sources[MAX], hub = 0;
    for (int i = 1; i < size; i++)
        sources[i - 1] = i;
    int from = rank == 0 ? size - 1 : 0, to = rank != 0;
    CALL(MPI_Dist_graph_create_adjacent)
    (MPI_COMM_WORLD, from, sources, MPI_UNWEIGHTED, to, &hub, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &star);
    check_made("communicator", "MPI_Dist_graph_create_adjacent", 1);
    CALL(MPI_Comm_set_name)(star, "star");
    all_kinds(star, "star", from, to);
    check_sql("SELECT topology = 'cart' FROM object JOIN communicator USING (object) WHERE name = 'circle'");
    check_sql("SELECT topology = 'dist_graph' FROM object JOIN communicator USING (object) WHERE name = 'star'");
    CALL(MPI_Barrier)(MPI_COMM_WORLD);
    CALL(MPI_Comm_free)(&circle);
    CALL(MPI_Comm_free)(&line);
    CALL(MPI_Comm_free)(&star);
    check_freed("communicator", "MPI_Comm_free", 3);
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
