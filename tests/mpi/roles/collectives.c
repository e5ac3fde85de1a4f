/* Nonblocking and persistent collectives. */
#include "roles.h"

enum { RANKS = 2 };

static int in[16], out[16];

/* name, I-name, arguments before the communicator; arrays of counts and displacements as the form wants them */
#define EACH(X, counts, displacements, bytes)                                                                          \
    X(Bcast, bcast, in, 1, MPI_INT, 0)                                                                                 \
    X(Gather, gather, in, 1, MPI_INT, out, 1, MPI_INT, 0)                                                              \
    X(Gatherv, gatherv, in, 1, MPI_INT, out, counts, displacements, MPI_INT, 0)                                        \
    X(Scatter, scatter, in, 1, MPI_INT, out, 1, MPI_INT, 0)                                                            \
    X(Scatterv, scatterv, in, counts, displacements, MPI_INT, out, 1, MPI_INT, 0)                                      \
    X(Allgather, allgather, in, 1, MPI_INT, out, 1, MPI_INT)                                                           \
    X(Allgatherv, allgatherv, in, 1, MPI_INT, out, counts, displacements, MPI_INT)                                     \
    X(Alltoall, alltoall, in, 1, MPI_INT, out, 1, MPI_INT)                                                             \
    X(Alltoallv, alltoallv, in, counts, displacements, MPI_INT, out, counts, displacements, MPI_INT)                   \
    X(Alltoallw, alltoallw, in, counts, bytes, types, out, counts, bytes, types)                                       \
    X(Reduce, reduce, in, out, 1, MPI_INT, MPI_SUM, 0)                                                                 \
    X(Allreduce, allreduce, in, out, 1, MPI_INT, MPI_SUM)                                                              \
    X(Reduce_scatter_block, reduce_scatter_block, in, out, 1, MPI_INT, MPI_SUM)                                        \
    X(Reduce_scatter, reduce_scatter, in, out, counts, MPI_INT, MPI_SUM)                                               \
    X(Scan, scan, in, out, 1, MPI_INT, MPI_SUM)                                                                        \
    X(Exscan, exscan, in, out, 1, MPI_INT, MPI_SUM)
#define EACH_OF_NEIGHBORS(X, counts, displacements, bytes)                                                             \
    X(Neighbor_allgather, neighbor_allgather, in, 1, MPI_INT, out, 1, MPI_INT)                                         \
    X(Neighbor_allgatherv, neighbor_allgatherv, in, 1, MPI_INT, out, counts, displacements, MPI_INT)                   \
    X(Neighbor_alltoall, neighbor_alltoall, in, 1, MPI_INT, out, 1, MPI_INT)                                           \
    X(Neighbor_alltoallv, neighbor_alltoallv, in, counts, displacements, MPI_INT, out, counts, displacements, MPI_INT) \
    X(Neighbor_alltoallw, neighbor_alltoallw, in, counts, bytes, types, out, counts, bytes, types)

static void wait_for(MPI_Request request)
{
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
}

static void start_and_free(MPI_Request request)
{
    CALL(MPI_Start)(&request);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    CALL(MPI_Request_free)(&request);
}

#define NONBLOCKING(name, small, ...)   (CALL(MPI_I##small)(__VA_ARGS__, where, &request), wait_for(request));
#define NONBLOCKING_C(name, small, ...) (CALL(MPI_I##small##_c)(__VA_ARGS__, where, &request), wait_for(request));
#define PERSISTENT_C(name, small, ...)                                                                                 \
    (CALL(MPI_##name##_init_c)(__VA_ARGS__, where, MPI_INFO_NULL, &request), start_and_free(request));
#ifdef HAS_MPI_4
#define PERSISTENT(name, small, ...)                                                                                   \
    (CALL(MPI_##name##_init)(__VA_ARGS__, where, MPI_INFO_NULL, &request), start_and_free(request));
#else
#define PERSISTENT(name, small, ...)                                                                                   \
    (CALL(MPIX_##name##_init)(__VA_ARGS__, where, MPI_INFO_NULL, &request), start_and_free(request));
#endif

static const MPI_Datatype *int_twice(void)
{
    static MPI_Datatype types[RANKS];
    types[0] = types[1] = MPI_INT;
    return types;
}

static void in_all(MPI_Comm where)
{
    static const int counts[RANKS] = {1, 1}, at[RANKS] = {0, 1}, bytes[RANKS] = {0, 4};
    const MPI_Datatype *types = int_twice();
    MPI_Request request;
    CALL(MPI_Ibarrier)(where, &request);
    wait_for(request);
    EACH(NONBLOCKING, counts, at, bytes)
    EACH(PERSISTENT, counts, at, bytes)
#ifdef HAS_MPI_4
    CALL(MPI_Barrier_init)(where, MPI_INFO_NULL, &request);
#else
    CALL(MPIX_Barrier_init)(where, MPI_INFO_NULL, &request);
#endif
    start_and_free(request);
}

static void among_neighbors(MPI_Comm where)
{
    static const int counts[RANKS] = {1, 1}, at[RANKS] = {0, 1};
    static const MPI_Aint bytes[RANKS] = {0, 4};
    const MPI_Datatype *types = int_twice();
    MPI_Request request;
    EACH_OF_NEIGHBORS(NONBLOCKING, counts, at, bytes)
    EACH_OF_NEIGHBORS(PERSISTENT, counts, at, bytes)
}

#ifdef HAS_LARGE_COUNTS
static void in_all_large(MPI_Comm where)
{
    static const MPI_Count counts[RANKS] = {1, 1};
    static const MPI_Aint at[RANKS] = {0, 1}, bytes[RANKS] = {0, 4};
    const MPI_Datatype *types = int_twice();
    MPI_Request request;
    EACH(NONBLOCKING_C, counts, at, bytes)
    EACH(PERSISTENT_C, counts, at, bytes)
}

static void among_neighbors_large(MPI_Comm where)
{
    static const MPI_Count counts[RANKS] = {1, 1};
    static const MPI_Aint at[RANKS] = {0, 1}, bytes[RANKS] = {0, 4};
    const MPI_Datatype *types = int_twice();
    MPI_Request request;
    EACH_OF_NEIGHBORS(NONBLOCKING_C, counts, at, bytes)
    EACH_OF_NEIGHBORS(PERSISTENT_C, counts, at, bytes)
}
#endif

void collectives(void)
{
    int dims = RANKS, periods = 1;
    MPI_Comm ring;
    CALL(MPI_Cart_create)(comm, 1, &dims, &periods, 0, &ring);
    in_all(comm);
    among_neighbors(ring);
#ifdef HAS_LARGE_COUNTS
    in_all_large(comm);
    among_neighbors_large(ring);
#endif
    CALL(MPI_Comm_free)(&ring);
}
