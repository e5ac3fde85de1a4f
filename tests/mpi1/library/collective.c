/* Collectives of one process: what it gives it gets. */
#include "inside.h"

#include <stdlib.h>

static struct table ops = {.first = MPI_MAXLOC + 1};

static int check(MPI_Comm comm, int root)
{
    int error = !comm_of(comm) ? MPI_ERR_COMM : root != 0 ? MPI_ERR_ROOT : MPI_SUCCESS;
    return error == MPI_SUCCESS ? MPI_SUCCESS : failed(comm, error);
}

int MPI_Barrier(MPI_Comm comm)
{
    return check(comm, 0);
}

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    (void)buffer;
    (void)count;
    return type_of(type) ? check(comm, root) : failed(comm, MPI_ERR_TYPE);
}

int MPI_Gather(void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type, int root,
               MPI_Comm comm)
{
    int error = check(comm, root);
    return error == MPI_SUCCESS ? copy(out, out_count, out_type, in, in_count, in_type, comm) : error;
}

int MPI_Scatter(void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type, int root,
                MPI_Comm comm)
{
    return MPI_Gather(out, out_count, out_type, in, in_count, in_type, root, comm);
}

int MPI_Allgather(void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type,
                  MPI_Comm comm)
{
    return MPI_Gather(out, out_count, out_type, in, in_count, in_type, 0, comm);
}

int MPI_Alltoall(void *out, int out_count, MPI_Datatype out_type, void *in, int in_count, MPI_Datatype in_type,
                 MPI_Comm comm)
{
    return MPI_Gather(out, out_count, out_type, in, in_count, in_type, 0, comm);
}

int MPI_Gatherv(void *out, int out_count, MPI_Datatype out_type, void *in, int *in_counts, int *displacements,
                MPI_Datatype in_type, int root, MPI_Comm comm)
{
    const struct type *type = type_of(in_type);
    char *at = (char *)in + (type ? displacements[0] * (type->upper - type->lower) : 0);
    return MPI_Gather(out, out_count, out_type, at, in_counts[0], in_type, root, comm);
}

int MPI_Reduce(void *out, void *in, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    if (op > MPI_MAXLOC ? !table_get(&ops, op) : op <= MPI_OP_NULL)
        return failed(comm, MPI_ERR_OP);
    return MPI_Gather(out, count, type, in, count, type, root, comm);
}

int MPI_Allreduce(void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return MPI_Reduce(out, in, count, type, op, 0, comm);
}

int MPI_Scan(void *out, void *in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return MPI_Reduce(out, in, count, type, op, 0, comm);
}

int MPI_Op_create(MPI_User_function *function, int commute, MPI_Op *op)
{
    (void)commute;
    *op = table_add(&ops, (void *)function);
    return *op ? MPI_SUCCESS : failed(MPI_COMM_WORLD, MPI_ERR_INTERN);
}

int MPI_Op_free(MPI_Op *op)
{
    if (!table_remove(&ops, *op))
        return failed(MPI_COMM_WORLD, MPI_ERR_OP);
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
}
