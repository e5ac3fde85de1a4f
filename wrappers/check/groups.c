#include "wrappers/check/groups.h"

#include <limits.h>
#include <stdlib.h>

#include "pmpi_queries.h"
#include "record/object/object.h"

/* ---- communicators ---- */

static bool is_communicator(const struct callsign_record *on)
{
    return on && on->kind == CALLSIGN_COMMUNICATOR;
}

/* The topology of the call's communicator, as MPI_Topo_test says; `unknown` if nothing is known. */
static int topology_of(const struct cs_call *call, int unknown)
{
    int topology = unknown;
    if (is_communicator(call->on) &&
        cs_mpi_Topo_test(CS_HANDLE_OF(MPI_Comm, call->on->handle), &topology) != MPI_SUCCESS)
        topology = unknown;
    return topology;
}

static bool has_topology(const struct cs_call *call, enum cs_shape needed)
{
    const int unknown = INT_MIN; /* no MPI's constant */
    int topology = topology_of(call, unknown);
    return topology == unknown || (needed == CS_SHAPE_CARTESIAN    ? topology == MPI_CART
                                   : needed == CS_SHAPE_GRAPH      ? topology == MPI_GRAPH
                                   : needed == CS_SHAPE_DIST_GRAPH ? topology == MPI_DIST_GRAPH
                                                                   : topology != MPI_UNDEFINED);
}

void cs_checks_shape(struct cs_call *call, enum cs_shape needed)
{
    int inter = 1;
    if (!is_communicator(call->on))
        return;
    if (needed == CS_SHAPE_INTRA) {
        if (call->on->remote_size >= 0)
            cs_misuse_note(call, CS_MISUSE_NOT_INTRA, 0, 0);
    } else if (needed == CS_SHAPE_INTER) {
        if (cs_mpi_Comm_test_inter(CS_HANDLE_OF(MPI_Comm, call->on->handle), &inter) == MPI_SUCCESS && !inter)
            cs_misuse_note(call, CS_MISUSE_NOT_INTER, 0, 0);
    } else if (!has_topology(call, needed)) {
        cs_misuse_note(call, CS_MISUSE_NO_TOPOLOGY, 0, 0);
    }
}

void cs_checks_color(struct cs_call *call, int64_t color)
{
    if (color < 0 && color != MPI_UNDEFINED)
        cs_misuse_note(call, CS_MISUSE_INVALID_COLOR, color, 0);
}

/* ---- groups ---- */

/* -1: unknown. The MPI must not be asked about a handle that may be none. */
static int size_of(MPI_Group group)
{
    int size = -1;
    if (group == MPI_GROUP_EMPTY)
        return 0;
    return cs_object_find(CALLSIGN_GROUP, CS_KEY(group)) && cs_mpi_Group_size(group, &size) == MPI_SUCCESS ? size : -1;
}

/* The first rank of the group that is not among the members; -1: none, or unknown. */
static int find_stranger(MPI_Group group, int size, MPI_Group members)
{
    enum { AT_ONCE = 64 };
    int ranks[AT_ONCE], found[AT_ONCE];
    for (int first = 0; first < size; first += AT_ONCE) {
        int count = size - first < AT_ONCE ? size - first : AT_ONCE;
        for (int i = 0; i < count; i++)
            ranks[i] = first + i;
        if (cs_mpi_Group_translate_ranks(group, count, ranks, members, found) != MPI_SUCCESS)
            return -1;
        for (int i = 0; i < count; i++)
            if (found[i] == MPI_UNDEFINED)
                return ranks[i];
    }
    return -1;
}

/* MPIs may compare each process of one group with each of the other: large groups are not checked. */
void cs_checks_subgroup(struct cs_call *call, MPI_Group group)
{
    enum { SIZE_MOST = 4096 };
    int size = size_of(group);
    MPI_Group members;
    if (!is_communicator(call->on) || size <= 0 || size > SIZE_MOST || call->on->size > SIZE_MOST ||
        cs_mpi_Comm_group(CS_HANDLE_OF(MPI_Comm, call->on->handle), &members) != MPI_SUCCESS)
        return;
    int stranger = find_stranger(group, size, members);
    cs_mpi_Group_free(&members);
    if (stranger >= 0)
        cs_misuse_note(call, CS_MISUSE_INVALID_RANK, stranger, 0);
}

/* null_allowed: MPI_PROC_NULL stands for no process. */
static bool are_ranks(struct cs_call *call, int size, MPI_Count count, const int ranks[], bool null_allowed)
{
    for (MPI_Count i = 0; i < count; i++)
        if ((ranks[i] < 0 || ranks[i] >= size) && !(null_allowed && ranks[i] == MPI_PROC_NULL)) {
            cs_misuse_note(call, CS_MISUSE_INVALID_RANK, ranks[i], 0);
            return false;
        }
    return true;
}

/* False, and noted, if the rank is there already. */
static bool add_rank(struct cs_call *call, unsigned char seen[], int rank)
{
    unsigned char bit = (unsigned char)(1u << (rank & 7)), *byte = &seen[rank >> 3];
    if (*byte & bit)
        cs_misuse_note(call, CS_MISUSE_REPEATED_RANK, rank, 0);
    bool added = !(*byte & bit);
    *byte |= bit;
    return added;
}

static unsigned char *no_ranks(int size, MPI_Count count)
{
    return count > 1 ? calloc((size_t)size / 8 + 1, 1) : NULL;
}

static void check_repeated(struct cs_call *call, int size, MPI_Count count, const int ranks[])
{
    unsigned char *seen = no_ranks(size, count);
    for (MPI_Count i = 0; seen && i < count && add_rank(call, seen, ranks[i]); i++)
        ;
    free(seen);
}

/* Ranges whose ranks are valid and whose strides are not 0. */
static void check_repeated_in_ranges(struct cs_call *call, int size, MPI_Count count, const int range[][3])
{
    unsigned char *seen = no_ranks(size, count);
    bool alone = true;
    for (MPI_Count i = 0; seen && i < count && alone; i++)
        for (int64_t rank = range[i][0], stride = range[i][2];
             alone && (stride > 0 ? rank <= range[i][1] : rank >= range[i][1]); rank += stride)
            alone = add_rank(call, seen, (int)rank);
    free(seen);
}

void cs_checks_group_ranks(struct cs_call *call, MPI_Group group, MPI_Count count, const int ranks[])
{
    int size = size_of(group);
    if (count < 0)
        cs_misuse_note(call, CS_MISUSE_NEGATIVE_COUNT, count, 0);
    else if (!ranks && count > 0)
        cs_misuse_note(call, CS_MISUSE_NULL_ARRAY, 0, 0);
    else if (size >= 0 && ranks && are_ranks(call, size, count, ranks, false))
        check_repeated(call, size, count, ranks);
}

/* The ranks of a range: from the first one to the last one that the stride reaches. False: they are none, or undecided.
 */
static bool is_range(struct cs_call *call, int size, const int range[3], MPI_Count at)
{
    if (!are_ranks(call, size, 1, range, false))
        return false;
    if (range[2] == 0) {
        cs_misuse_note(call, CS_MISUSE_ZERO_STRIDE, at, 0);
        return false;
    }
    int64_t steps = ((int64_t)range[1] - range[0]) / range[2];
    int64_t last = range[0] + steps * range[2];
    if (steps < 0 || last > INT_MAX || last < INT_MIN)
        return false;
    return are_ranks(call, size, 1, &(int){(int)last}, false);
}

void cs_checks_group_ranges(struct cs_call *call, MPI_Group group, MPI_Count count, const void *ranges)
{
    const int(*range)[3] = ranges;
    int size = size_of(group);
    bool valid = size >= 0 && range;
    if (count < 0)
        cs_misuse_note(call, CS_MISUSE_NEGATIVE_COUNT, count, 0);
    else if (!range && count > 0)
        cs_misuse_note(call, CS_MISUSE_NULL_ARRAY, 0, 0);
    for (MPI_Count i = 0; size >= 0 && range && i < count; i++)
        valid &= is_range(call, size, range[i], i);
    if (valid)
        check_repeated_in_ranges(call, size, count, range);
}

void cs_checks_translated_ranks(struct cs_call *call, MPI_Group group, MPI_Count count, const int ranks[])
{
    int size = size_of(group);
    if (count < 0)
        cs_misuse_note(call, CS_MISUSE_NEGATIVE_COUNT, count, 0);
    else if (size >= 0 && ranks)
        are_ranks(call, size, count, ranks, true);
}

/* ---- topologies ---- */

/* The number of processes that the dimensions have room for, without those of size 0; -1: one is negative, or there are
   too many. */
static int64_t product_of(MPI_Count dimensions, const int sizes[])
{
    int64_t product = 1;
    for (MPI_Count i = 0; i < dimensions; i++)
        if (sizes[i] < 0 || (sizes[i] && __builtin_mul_overflow(product, (int64_t)sizes[i], &product)))
            return -1;
    return product;
}

static bool has_zero(MPI_Count dimensions, const int sizes[])
{
    MPI_Count i = 0;
    while (i < dimensions && sizes[i] != 0)
        i++;
    return i < dimensions;
}

void cs_checks_dimensions(struct cs_call *call, MPI_Count dimensions, const int sizes[])
{
    if (!is_communicator(call->on) || call->on->size <= 0 || call->on->remote_size >= 0 || !sizes)
        return;
    int64_t product = product_of(dimensions, sizes);
    if (dimensions < 0 || product < 0 || (product > call->on->size && !has_zero(dimensions, sizes)))
        cs_misuse_note(call, CS_MISUSE_INVALID_DIMENSIONS, call->on->size, 0);
}

void cs_checks_given_dimensions(struct cs_call *call, MPI_Count processes, MPI_Count dimensions, const int sizes[])
{
    int64_t product = sizes ? product_of(dimensions, sizes) : 1;
    if (processes <= 0 || product < 0 || processes % product != 0 ||
        (dimensions > 0 && sizes && product != processes && !has_zero(dimensions, sizes)))
        cs_misuse_note(call, CS_MISUSE_INVALID_DIMENSIONS, processes, 0);
}

void cs_checks_graph(struct cs_call *call, MPI_Count nodes, const int index[], const int edges[])
{
    if (!is_communicator(call->on) || call->on->size <= 0 || call->on->remote_size >= 0)
        return;
    if (nodes < 0 || nodes > call->on->size) {
        cs_misuse_note(call, CS_MISUSE_INVALID_DIMENSIONS, call->on->size, 0);
        return;
    }
    for (MPI_Count i = 0, first = 0; index && i < nodes; first = index[i++])
        if (index[i] < first) {
            cs_misuse_note(call, CS_MISUSE_INVALID_SIZE, index[i], 0);
            return;
        }
    if (nodes > 0 && (!index || (!edges && index[nodes - 1] > 0)))
        cs_misuse_note(call, CS_MISUSE_NULL_ARRAY, 0, 0);
    else if (nodes > 0 && edges)
        are_ranks(call, (int)nodes, index[nodes - 1], edges, false);
}

void cs_checks_neighbors(struct cs_call *call, MPI_Count count, const int ranks[])
{
    if (count < 0)
        cs_misuse_note(call, CS_MISUSE_NEGATIVE_COUNT, count, 0);
    else if (!ranks && count > 0)
        cs_misuse_note(call, CS_MISUSE_NULL_ARRAY, 0, 0);
    else if (ranks && is_communicator(call->on) && call->on->size > 0 && call->on->remote_size < 0)
        are_ranks(call, call->on->size, count, ranks, true);
}

void cs_checks_destinations(struct cs_call *call, MPI_Count nodes, const int degrees[], const int destinations[])
{
    MPI_Count all = 0;
    if (!degrees && nodes > 0)
        cs_misuse_note(call, CS_MISUSE_NULL_ARRAY, 0, 0);
    for (MPI_Count i = 0; degrees && i < nodes; i++) {
        if (degrees[i] < 0) {
            cs_misuse_note(call, CS_MISUSE_NEGATIVE_COUNT, degrees[i], 0);
            return;
        }
        all += degrees[i];
    }
    cs_checks_neighbors(call, all, destinations);
}

/* Without neighbors, any array will do (MPI 4.1, 8.5.4). */
void cs_checks_weights(struct cs_call *call, MPI_Count sources, const int source_weights[], MPI_Count destinations,
                       const int destination_weights[])
{
    if (sources > 0 && destinations > 0 &&
        (source_weights == MPI_UNWEIGHTED) != (destination_weights == MPI_UNWEIGHTED))
        cs_misuse_note(call, CS_MISUSE_MIXED_WEIGHTS, 0, 0);
}

void cs_checks_dimension(struct cs_call *call, int64_t dimension)
{
    int dimensions = 0;
    if (topology_of(call, MPI_UNDEFINED) == MPI_CART &&
        cs_mpi_Cartdim_get(CS_HANDLE_OF(MPI_Comm, call->on->handle), &dimensions) == MPI_SUCCESS &&
        (dimension < 0 || dimension >= dimensions))
        cs_misuse_note(call, CS_MISUSE_INVALID_DIMENSION, dimension, 0);
}

void cs_checks_topology_rank(struct cs_call *call, int rank)
{
    if (is_communicator(call->on) && call->on->size > 0 && call->on->remote_size < 0 &&
        (rank < 0 || rank >= call->on->size))
        cs_misuse_note(call, CS_MISUSE_INVALID_RANK, rank, 0);
}
