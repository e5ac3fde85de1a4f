/* Roles that keep the arguments of collective calls that must agree on all members (MPI 4.1, 6). Nothing is compared
   here, and nothing is sent: db/trace/views/checks.sql compares what the members kept.

   Signatures of intercommunicators and of unknown datatypes are left out. So are arguments that have no meaning on this
   process. */
#pragma once

#include "record/object/type_signature.h"
#include "wrappers/call/arrays.h"
#include "wrappers/call/call.h"
#include "wrappers/object/datatype.h"

/* The data of one side: sent or received. */
struct cs_data_side {
    uint64_t signature; /* CS_DATA_* */
    uint64_t bytes;     /* CS_NO_BYTES: unknown */
    uint32_t type;
};
#define CS_UNKNOWN_SIDE ((struct cs_data_side){CS_DATA_UNKNOWN, CS_NO_BYTES, 0})

/* False for intercommunicators and unknown ones. */
static inline bool cs_is_compared(const struct cs_call *call)
{
    return call->on && call->on->remote_size < 0;
}

/* Field by field: a compound literal would write some twice. */
static inline void cs_fill_agreed(struct cs_call *call, struct cs_data_side all, struct cs_data_side own)
{
    call->data.signature = all.signature;
    call->data.own = own.signature;
    call->data.size_bytes = all.bytes;
    call->data.own_bytes = own.bytes;
    call->data.type = all.type;
    call->data.op = 0;
    call->data.compared = CS_COMPARED_DATA_ALL;
}

/* ---- before the call: count and datatype of one signature, equal on all members ---- */

void cs_check_agreed_otherwise(struct cs_call *call, MPI_Count count, MPI_Datatype type);
static inline void cs_check_agreed_data(struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    const struct callsign_record *last = cs_type_same(call->thread, type);
    call->type = last;
    if (__builtin_expect(
            !cs_is_compared(call) || count <= 0 || !last || last->bytes <= 0 || !(last->uid & CS_TYPE_UNIFORM), 0)) {
        cs_check_agreed_otherwise(call, count, type);
        return;
    }
    const uint64_t bytes = (uint64_t)count * (uint64_t)last->bytes;
    cs_fill_agreed(call, (struct cs_data_side){cs_data_uniform(last->uid, bytes), bytes, last->id}, CS_UNKNOWN_SIDE);
}

/* The root receives from each member what that sends. */
void cs_check_agreed_gather(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                            MPI_Count recvcount, MPI_Datatype recvtype, int root);
void cs_check_agreed_scatter(struct cs_call *call, MPI_Count sendcount, MPI_Datatype sendtype, const void *recvbuf,
                             MPI_Count recvcount, MPI_Datatype recvtype, int root);

/* Blocks of one size from all to all. */
void cs_check_agreed_blocks(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                            MPI_Count recvcount, MPI_Datatype recvtype);

/* The operation, after the role of the data. */
void cs_check_agreed_other_op(struct cs_call *call, MPI_Op op);
static inline void cs_check_agreed_op(struct cs_call *call, MPI_Op op)
{
    if (op == MPI_SUM)
        call->data.op = CS_REDUCTION_SUM;
    else
        cs_check_agreed_other_op(call, op);
}

/* Data whose size differs between pairs of members. The arrays are read, as the MPI will do. */
void cs_check_paired_gather(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                            struct cs_counts recvcounts, MPI_Datatype recvtype, int root);
void cs_check_paired_scatter(struct cs_call *call, struct cs_counts sendcounts, MPI_Datatype sendtype,
                             const void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root);
void cs_check_paired_allgather(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                               struct cs_counts recvcounts, MPI_Datatype recvtype);
void cs_check_paired_alltoall(struct cs_call *call, const void *sendbuf, struct cs_counts sendcounts,
                              MPI_Datatype sendtype, struct cs_counts recvcounts, MPI_Datatype recvtype);
void cs_check_paired_alltoallw(struct cs_call *call, const void *sendbuf, struct cs_counts sendcounts,
                               struct cs_types sendtypes, struct cs_counts recvcounts, struct cs_types recvtypes);

/* The group of a new communicator: all its members pass the same one, in the same order (MPI 4.1, 7.4.2). */
void cs_check_agreed_group(struct cs_call *call, MPI_Group group);

/* All counts are equal on all members. */
void cs_check_agreed_counts(struct cs_call *call, struct cs_counts recvcounts, MPI_Datatype type);
