#include "wrappers/check/arguments.h"

#include "functions.h"
#include "pmpi_queries.h"
#include "record/object/object.h"
#include "wrappers/call/about.h"
#include "wrappers/check/pending.h"
#include "wrappers/check/threads.h"
#include "wrappers/mpi/constants.h"
#include "wrappers/object/datatype.h"

void cs_begin_checks(struct cs_call *call)
{
    cs_uses_begin(call);
    cs_check_threads(call);
}

/* ---- ranks, tags, operations ---- */

static bool is_rank(const struct cs_call *call, int rank)
{
    const struct callsign_record *on = call->on;
    if (!on || on->size < 0)
        return true;
    return rank >= 0 && rank < (on->remote_size >= 0 ? on->remote_size : on->size);
}

void cs_checks_rank(struct cs_call *call, int rank)
{
    if (rank != MPI_PROC_NULL && !is_rank(call, rank))
        cs_misuse_note(call, CS_MISUSE_INVALID_RANK, rank, 0);
}

void cs_checks_source(struct cs_call *call, int rank)
{
    if (rank != MPI_ANY_SOURCE)
        cs_checks_rank(call, rank);
}

void cs_checks_root(struct cs_call *call, int root)
{
    if (call->on && call->on->remote_size < 0 && !is_rank(call, root))
        cs_misuse_note(call, CS_MISUSE_INVALID_ROOT, root, 0);
}

/* MPI_TAG_UB of this MPI; at least 32767. Callsign asks once. */
static int largest_tag(void)
{
    static _Atomic int largest;
    int known = atomic_load_explicit(&largest, memory_order_relaxed), found = 0;
    const int *value = NULL;
    if (known)
        return known;
    known = INT32_MAX;
    if (cs_mpi_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, (void *)&value, &found) == MPI_SUCCESS && found && value)
        known = *value;
    atomic_store_explicit(&largest, known, memory_order_relaxed);
    return known;
}

void cs_checks_tag(struct cs_call *call, int tag, int peer)
{
    if (peer != MPI_PROC_NULL && (tag < 0 || tag > largest_tag()))
        cs_misuse_note(call, CS_MISUSE_INVALID_TAG, tag, 0);
}

void cs_checks_received_tag(struct cs_call *call, int tag, int peer)
{
    if (tag != MPI_ANY_TAG)
        cs_checks_tag(call, tag, peer);
}

void cs_checks_reduction(struct cs_call *call, MPI_Op op)
{
    if (op == MPI_OP_NULL)
        cs_misuse_note(call, CS_MISUSE_NULL_OPERATION, 0, 0);
    else if (op == MPI_REPLACE || op == MPI_NO_OP)
        cs_misuse_note(call, CS_MISUSE_INVALID_OPERATION, 0, 0);
}

void cs_checks_accumulation(struct cs_call *call, MPI_Op op)
{
    if (op == MPI_OP_NULL)
        cs_misuse_note(call, CS_MISUSE_NULL_OPERATION, 0, 0);
    else if (!cs_constant_name(CALLSIGN_OP, CS_KEY(op)) && cs_object_find(CALLSIGN_OP, CS_KEY(op)))
        cs_misuse_note(call, CS_MISUSE_INVALID_OPERATION, 0, 0);
}

/* ---- data ---- */

/* False if it may be: MPI_Type_dup copies the state. */
static bool is_uncommitted(const struct callsign_record *type)
{
    const uint32_t others = CS_OBJECT_PREDEFINED | CS_OBJECT_ADOPTED | CS_OBJECT_INTERNAL | CS_OBJECT_COMMITTED;
    return type->function && type->function != CS_MPI_Type_dup && !(cs_object_flags(type) & others);
}

uint64_t cs_check_data(struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    if (count == 0)
        return 0;
    if (count < 0) {
        cs_misuse_note(call, CS_MISUSE_NEGATIVE_COUNT, count, 0);
        return 0;
    }
    if (type == MPI_DATATYPE_NULL) {
        cs_misuse_note(call, CS_MISUSE_NULL_DATATYPE, 0, 0);
        return 0;
    }
    const struct callsign_record *known = cs_type_before_call(call, type);
    if (!known)
        return 0;
    if (is_uncommitted(known))
        cs_misuse_note(call, CS_MISUSE_UNCOMMITTED_DATATYPE, 0, 0);
    bool whole = cs_object_flags(known) & CS_OBJECT_PREDEFINED && known->bytes > 0;
    return whole ? (uint64_t)count * (uint64_t)known->bytes : 0;
}

static void use(struct cs_call *call, enum cs_use access, const void *buffer, uint64_t bytes)
{
    if (!bytes)
        return;
    if (buffer)
        cs_uses_add(call, access == CS_USE_WRITE, buffer, bytes);
    else
        cs_misuse_note(call, CS_MISUSE_NULL_BUFFER, 0, 0);
}

/* Collective calls of intercommunicators give arguments other meanings. A communicator of one may move no data. */
static bool is_collective_of_several(const struct cs_call *call)
{
    return call->on && call->on->remote_size < 0 && call->on->size > 1;
}

void cs_use_data(struct cs_call *call, enum cs_use access, const void *buffer, MPI_Count count, MPI_Datatype type)
{
    if (call->peer != CS_PEER_NULL && buffer != MPI_IN_PLACE && is_collective_of_several(call))
        use(call, access, buffer, cs_check_data(call, count, type));
}

void cs_use_data_with(struct cs_call *call, enum cs_use access, const void *buffer, MPI_Count count, MPI_Datatype type,
                      int peer)
{
    if (peer != MPI_PROC_NULL)
        use(call, access, buffer, cs_check_data(call, count, type));
}

void cs_use_blocks(struct cs_call *call, enum cs_use access, const void *buffer, MPI_Count count, MPI_Datatype type)
{
    if (buffer != MPI_IN_PLACE && is_collective_of_several(call))
        use(call, access, buffer, cs_check_data(call, count, type) * (uint64_t)call->on->size);
}

void cs_use_broadcast(struct cs_call *call, const void *buffer, MPI_Count count, MPI_Datatype type, int root)
{
    if (is_collective_of_several(call))
        use(call, call->on->rank == root ? CS_USE_READ : CS_USE_WRITE, buffer, cs_check_data(call, count, type));
}
