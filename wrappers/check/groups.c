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

static void check_repeated(struct cs_call *call, int size, MPI_Count count, const int ranks[])
{
    unsigned char *seen = count > 1 ? calloc((size_t)size / 8 + 1, 1) : NULL;
    for (MPI_Count i = 0; seen && i < count; i++) {
        unsigned char bit = (unsigned char)(1u << (ranks[i] & 7)), *byte = &seen[ranks[i] >> 3];
        if (*byte & bit) {
            cs_misuse_note(call, CS_MISUSE_REPEATED_RANK, ranks[i], 0);
            break;
        }
        *byte |= bit;
    }
    free(seen);
}

void cs_checks_group_ranks(struct cs_call *call, MPI_Group group, MPI_Count count, const int ranks[])
{
    int size = size_of(group);
    if (count < 0)
        cs_misuse_note(call, CS_MISUSE_NEGATIVE_COUNT, count, 0);
    else if (size >= 0 && ranks && are_ranks(call, size, count, ranks, false))
        check_repeated(call, size, count, ranks);
}

void cs_checks_group_ranges(struct cs_call *call, MPI_Group group, MPI_Count count, const void *ranges)
{
    const int(*range)[3] = ranges;
    int size = size_of(group);
    if (count < 0)
        cs_misuse_note(call, CS_MISUSE_NEGATIVE_COUNT, count, 0);
    for (MPI_Count i = 0; size >= 0 && range && i < count; i++)
        if (are_ranks(call, size, 1, range[i], false) && range[i][2] == 0)
            cs_misuse_note(call, CS_MISUSE_ZERO_STRIDE, i, 0);
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
