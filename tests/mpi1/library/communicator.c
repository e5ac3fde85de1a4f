/* Groups and communicators of one process: a group has it or is empty. */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

const MPI_Group MPI_GROUP_EMPTY = 1;

static char empty, self; /* what the handles of groups lead to */
static struct table groups = {.objects = {[1] = &empty}, .first = 2};
static struct comm world = {.handler = MPI_ERRORS_ARE_FATAL};
static struct table comms = {.objects = {[MPI_COMM_WORLD] = &world}, .first = 2};

struct comm *comm_of(MPI_Comm comm)
{
#ifdef CS_STUBS /* any number is a communicator to them */
    return &world;
#endif
    return table_get(&comms, comm);
}

static int size_of(MPI_Group group)
{
    return table_get(&groups, group) == &self;
}

static int group_of(bool has_process, MPI_Group *made)
{
    *made = has_process ? table_add(&groups, &self) : MPI_GROUP_EMPTY;
    return MPI_SUCCESS;
}

int MPI_Group_rank(MPI_Group group, int *rank)
{
    if (!table_get(&groups, group))
        return failed(MPI_COMM_WORLD, MPI_ERR_GROUP);
    *rank = size_of(group) ? 0 : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int MPI_Group_translate_ranks(MPI_Group from, int count, int *ranks, MPI_Group to, int *translated)
{
    for (int i = 0; i < count; i++)
        translated[i] = size_of(from) && size_of(to) && ranks[i] == 0 ? 0 : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int MPI_Group_compare(MPI_Group first, MPI_Group second, int *result)
{
    *result = size_of(first) == size_of(second) ? MPI_IDENT : MPI_UNEQUAL;
    return MPI_SUCCESS;
}

int MPI_Group_incl(MPI_Group group, int count, int *ranks, MPI_Group *made)
{
    (void)ranks;
    return group_of(size_of(group) && count > 0, made);
}

int MPI_Group_excl(MPI_Group group, int count, int *ranks, MPI_Group *made)
{
    (void)ranks;
    return group_of(size_of(group) && count == 0, made);
}

int MPI_Group_union(MPI_Group first, MPI_Group second, MPI_Group *made)
{
    return group_of(size_of(first) || size_of(second), made);
}

int MPI_Group_intersection(MPI_Group first, MPI_Group second, MPI_Group *made)
{
    return group_of(size_of(first) && size_of(second), made);
}

int MPI_Group_difference(MPI_Group first, MPI_Group second, MPI_Group *made)
{
    return group_of(size_of(first) && !size_of(second), made);
}

int MPI_Group_free(MPI_Group *group)
{
    if (!table_get(&groups, *group))
        return failed(MPI_COMM_WORLD, MPI_ERR_GROUP);
    if (*group != MPI_GROUP_EMPTY)
        table_remove(&groups, *group);
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}

/* ---- communicators ---- */

int MPI_Comm_size(MPI_Comm comm, int *size)
{
    if (!comm_of(comm))
        return failed(comm, MPI_ERR_COMM);
    *size = 1;
    return MPI_SUCCESS;
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    if (!comm_of(comm))
        return failed(comm, MPI_ERR_COMM);
    *rank = 0;
    return MPI_SUCCESS;
}

int MPI_Comm_group(MPI_Comm comm, MPI_Group *group)
{
    return comm_of(comm) ? group_of(true, group) : failed(comm, MPI_ERR_COMM);
}

int MPI_Comm_compare(MPI_Comm first, MPI_Comm second, int *result)
{
    if (!comm_of(first) || !comm_of(second))
        return failed(first, MPI_ERR_COMM);
    *result = first == second ? MPI_IDENT : MPI_CONGRUENT;
    return MPI_SUCCESS;
}

int MPI_Comm_test_inter(MPI_Comm comm, int *flag)
{
    *flag = 0;
    return comm_of(comm) ? MPI_SUCCESS : failed(comm, MPI_ERR_COMM);
}

/* A communicator like the old one; with its topology if it is a duplicate. */
static int make(MPI_Comm old, bool with_topology, MPI_Comm *made)
{
    const struct comm *from = comm_of(old);
    if (!from)
        return failed(old, MPI_ERR_COMM);
    struct comm *comm = calloc(1, sizeof *comm);
    if (with_topology && from->ndims) {
        *comm = (struct comm){.topology = from->topology, .ndims = from->ndims};
        comm->periods = malloc((size_t)from->ndims * sizeof(int));
        memcpy(comm->periods, from->periods, (size_t)from->ndims * sizeof(int));
    }
    *made = table_add(&comms, comm);
    return MPI_Errhandler_set(*made, from->handler);
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made)
{
#ifdef CS_STUBS /* as libraries that only pretend to have communicators */
    *made = comm + CS_STUBS;
    return MPI_SUCCESS;
#endif
    return make(comm, true, made);
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made)
{
    (void)key;
    *made = MPI_COMM_NULL;
    return color == MPI_UNDEFINED ? MPI_SUCCESS : make(comm, false, made);
}

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made)
{
    *made = MPI_COMM_NULL;
    return size_of(group) ? make(comm, false, made) : MPI_SUCCESS;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    struct comm *known = *comm == MPI_COMM_WORLD ? NULL : comm_of(*comm);
    if (!known)
        return failed(*comm, MPI_ERR_COMM);
    MPI_Errhandler_set(*comm, MPI_ERRORS_ARE_FATAL); /* lets go of its own */
    table_remove(&comms, *comm);
    free(known->periods);
    free(known);
    *comm = MPI_COMM_NULL;
    return MPI_SUCCESS;
}

/* ---- topologies ---- */

int MPI_Topo_test(MPI_Comm comm, int *topology)
{
    if (!comm_of(comm))
        return failed(comm, MPI_ERR_COMM);
    *topology = comm_of(comm)->topology ? comm_of(comm)->topology : MPI_UNDEFINED;
    return MPI_SUCCESS;
}

int MPI_Dims_create(int nodes, int ndims, int *dims)
{
    for (int i = 0; i < ndims; i++)
        if (dims[i] == 0)
            dims[i] = 1;
    return nodes == 1 ? MPI_SUCCESS : failed(MPI_COMM_WORLD, MPI_ERR_DIMS);
}

/* By its public name, as libraries do that have no other: whoever intercepts MPI_Comm_dup sees this one. */
int MPI_Cart_create(MPI_Comm comm, int ndims, int *dims, int *periods, int reorder, MPI_Comm *made)
{
    (void)reorder;
    for (int i = 0; i < ndims; i++)
        if (dims[i] != 1)
            return failed(comm, MPI_ERR_DIMS);
    int error = MPI_Comm_dup(comm, made);
    if (error != MPI_SUCCESS)
        return error;
    struct comm *known = comm_of(*made);
    free(known->periods);
    known->topology = MPI_CART;
    known->ndims = ndims;
    known->periods = malloc((size_t)ndims * sizeof *periods);
    memcpy(known->periods, periods, (size_t)ndims * sizeof *periods);
    return MPI_SUCCESS;
}

static struct comm *grid_of(MPI_Comm comm)
{
    struct comm *known = comm_of(comm);
    return known && known->topology == MPI_CART ? known : NULL;
}

int MPI_Cartdim_get(MPI_Comm comm, int *ndims)
{
    if (!grid_of(comm))
        return failed(comm, MPI_ERR_TOPOLOGY);
    *ndims = grid_of(comm)->ndims;
    return MPI_SUCCESS;
}

int MPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int *coords)
{
    if (!grid_of(comm))
        return failed(comm, MPI_ERR_TOPOLOGY);
    for (int i = 0; i < maxdims && i < grid_of(comm)->ndims; i++)
        coords[i] = 0;
    return rank == 0 ? MPI_SUCCESS : failed(comm, MPI_ERR_RANK);
}

int MPI_Cart_shift(MPI_Comm comm, int direction, int displacement, int *source, int *dest)
{
    const struct comm *grid = grid_of(comm);
    if (!grid || direction < 0 || direction >= grid->ndims)
        return failed(comm, MPI_ERR_TOPOLOGY);
    *source = *dest = displacement == 0 || grid->periods[direction] ? 0 : MPI_PROC_NULL;
    return MPI_SUCCESS;
}
