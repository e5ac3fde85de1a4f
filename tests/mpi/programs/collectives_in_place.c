/* MPI_IN_PLACE, and garbage where the standard lets it be: the call works as if nobody looked, and nothing is counted
   for what is not significant. */
#include "check.h"

#include <stdint.h>

enum { MAX = 8, N = 3 };

static int rank, size;
static const long unit = sizeof(int) * N;
static int data[MAX * MAX], in[MAX * MAX], counts[MAX], places[MAX];
#define WORLD "MPI_COMM_WORLD"

/* Pointers and types that would crash whoever touches them. */
static int *const wild = (int *)(uintptr_t)8;
static const MPI_Datatype nothing = MPI_DATATYPE_NULL;

static void in_place_with_root(int root)
{
    bool mine = rank == root;
    long all = unit * size;
    if (mine) {
        CALL(MPI_Gather)(MPI_IN_PLACE, -1, nothing, data, N, MPI_INT, root, MPI_COMM_WORLD);
        CALL(MPI_Gatherv)(MPI_IN_PLACE, -1, nothing, data, counts, places, MPI_INT, root, MPI_COMM_WORLD);
        CALL(MPI_Scatter)(data, N, MPI_INT, MPI_IN_PLACE, -1, nothing, root, MPI_COMM_WORLD);
        CALL(MPI_Scatterv)(data, counts, places, MPI_INT, MPI_IN_PLACE, -1, nothing, root, MPI_COMM_WORLD);
        CALL(MPI_Reduce)(MPI_IN_PLACE, data, N, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
        check_bytes("MPI_Reduce", WORLD, unit, unit);
    } else {
        CALL(MPI_Gather)(data, N, MPI_INT, wild, -7, nothing, root, MPI_COMM_WORLD);
        CALL(MPI_Gatherv)(data, N, MPI_INT, wild, wild, wild, nothing, root, MPI_COMM_WORLD);
        CALL(MPI_Scatter)(wild, -7, nothing, data, N, MPI_INT, root, MPI_COMM_WORLD);
        CALL(MPI_Scatterv)(wild, wild, wild, nothing, data, N, MPI_INT, root, MPI_COMM_WORLD);
        CALL(MPI_Reduce)(data, wild, N, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
        check_bytes("MPI_Reduce", WORLD, unit, 0);
    }
    check_bytes("MPI_Gather", WORLD, mine ? 0 : unit, mine ? all : 0);
    check_bytes("MPI_Gatherv", WORLD, mine ? 0 : unit, mine ? all : 0);
    check_bytes("MPI_Scatter", WORLD, mine ? all : 0, mine ? 0 : unit);
    check_bytes("MPI_Scatterv", WORLD, mine ? all : 0, mine ? 0 : unit);
}

/* The same, wild pointers where nothing is read, but with what the MPI at hand would read itself left valid. */
static void in_place_everywhere(void)
{
    long all = unit * size;
    CALL(MPI_Allgather)(MPI_IN_PLACE, -1, nothing, data, N, MPI_INT, MPI_COMM_WORLD);
    check_bytes("MPI_Allgather", WORLD, unit, all);
    CALL(MPI_Allgatherv)(MPI_IN_PLACE, -1, nothing, data, counts, places, MPI_INT, MPI_COMM_WORLD);
    check_bytes("MPI_Allgatherv", WORLD, unit, all);
    CALL(MPI_Alltoall)(MPI_IN_PLACE, -1, nothing, data, N, MPI_INT, MPI_COMM_WORLD);
    check_bytes("MPI_Alltoall", WORLD, all, all);
    CALL(MPI_Alltoallv)(MPI_IN_PLACE, NULL, NULL, nothing, data, counts, places, MPI_INT, MPI_COMM_WORLD);
    check_bytes("MPI_Alltoallv", WORLD, all, all);
    CALL(MPI_Allreduce)(MPI_IN_PLACE, data, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_bytes("MPI_Allreduce", WORLD, unit, unit);
    CALL(MPI_Scan)(MPI_IN_PLACE, data, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_bytes("MPI_Scan", WORLD, unit, unit);
    CALL(MPI_Exscan)(MPI_IN_PLACE, data, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_bytes("MPI_Exscan", WORLD, unit, rank > 0 ? unit : 0);
    CALL(MPI_Reduce_scatter_block)(MPI_IN_PLACE, data, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_bytes("MPI_Reduce_scatter_block", WORLD, all, unit);
    CALL(MPI_Reduce_scatter)(MPI_IN_PLACE, data, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_bytes("MPI_Reduce_scatter", WORLD, all, unit);
}

/* The receive buffer of process 0 in Exscan is not significant. */
static void insignificant(void)
{
    CALL(MPI_Exscan)(data, rank == 0 ? wild : in, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_bytes("MPI_Exscan", WORLD, unit, rank > 0 ? unit : 0);
}

int main(int argc, char **argv)
{
    CALL(MPI_Init)(&argc, &argv);
    CALL(MPI_Comm_rank)(MPI_COMM_WORLD, &rank);
    CALL(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    for (int i = 0; i < size; i++) {
        counts[i] = N;
        places[i] = i * N;
    }
    for (int root = 0; root < size; root++)
        in_place_with_root(root);
    in_place_everywhere();
    insignificant();
    check_say("rank %d done", rank);
    CALL(MPI_Finalize)();
    return check_write();
}
