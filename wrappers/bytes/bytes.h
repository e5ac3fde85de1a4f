/* Counts the bytes that a call sends and receives. These roles run after success and read only arguments that are
   significant on this process: the others may be garbage. Sent bytes are those that this process passes in, received
   bytes those that it gets, for each partner: bytes = count x type size. MPI_PROC_NULL counts nothing; neither does
   the side with MPI_IN_PLACE if no data is sent. */
#pragma once

#include <stdint.h>

#include "whole_mpi.h"
#include "wrappers/call/arrays.h"
#include "wrappers/call/call.h"
#include "wrappers/object/datatype.h"

/* The bytes of so many elements; 0 if the size of the datatype is unknown. */
uint64_t cs_bytes_of_other(MPI_Count count, MPI_Datatype type);
static inline uint64_t cs_bytes_of(const struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    if (count <= 0)
        return 0; /* the type may be invalid here */
    const struct callsign_record *object = cs_type_of_call(call, type);
    return __builtin_expect(object && object->bytes > 0, 1) ? (uint64_t)count * (uint64_t)object->bytes
                                                            : cs_bytes_of_other(count, type);
}

/* point-to-point */
void cs_bytes_sent(struct cs_call *call, MPI_Count count, MPI_Datatype type, int dest);
void cs_bytes_received(struct cs_call *call,
                       const MPI_Status *status); /* the bytes that arrived, also when reading files */
void cs_bytes_received_as(struct cs_call *call, MPI_Datatype type); /* the datatype of what arrived */
void cs_bytes_posted(struct cs_call *call, MPI_Count count,
                     MPI_Datatype type); /* Irecv, Recv_init, Iread: the received size is not known yet */
void cs_bytes_partitions_sent(struct cs_call *call, int partitions, MPI_Count count, MPI_Datatype type, int dest);
void cs_bytes_partitions_posted(struct cs_call *call, int partitions, MPI_Count count, MPI_Datatype type);
void cs_bytes_written(struct cs_call *call, MPI_Count count, MPI_Datatype type);

/* collective */
void cs_bytes_bcast(struct cs_call *call, MPI_Count count, MPI_Datatype type, int root);
void cs_bytes_gather(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                     MPI_Count recvcount, MPI_Datatype recvtype, int root);
void cs_bytes_gatherv(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                      struct cs_counts recvcounts, MPI_Datatype recvtype, int root);
void cs_bytes_scatter(struct cs_call *call, MPI_Count sendcount, MPI_Datatype sendtype, const void *recvbuf,
                      MPI_Count recvcount, MPI_Datatype recvtype, int root);
void cs_bytes_scatterv(struct cs_call *call, struct cs_counts sendcounts, MPI_Datatype sendtype, const void *recvbuf,
                       MPI_Count recvcount, MPI_Datatype recvtype, int root);
void cs_bytes_allgather(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                        MPI_Count recvcount, MPI_Datatype recvtype);
void cs_bytes_allgatherv(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                         struct cs_counts recvcounts, MPI_Datatype recvtype);
void cs_bytes_alltoall(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                       MPI_Count recvcount, MPI_Datatype recvtype);
void cs_bytes_alltoallv(struct cs_call *call, const void *sendbuf, struct cs_counts sendcounts, MPI_Datatype sendtype,
                        struct cs_counts recvcounts, MPI_Datatype recvtype);
void cs_bytes_alltoallw(struct cs_call *call, const void *sendbuf, struct cs_counts sendcounts,
                        struct cs_types sendtypes, struct cs_counts recvcounts, struct cs_types recvtypes);
void cs_bytes_reduce(struct cs_call *call, MPI_Count count, MPI_Datatype type, int root);
static inline void cs_bytes_allreduce(struct cs_call *call, MPI_Count count, MPI_Datatype type) /* also scan */
{
    const uint64_t bytes = cs_bytes_of(call, count, type);
    call->sent_bytes += bytes;
    call->received_bytes += bytes;
}
void cs_bytes_exscan(struct cs_call *call, MPI_Count count, MPI_Datatype type); /* rank 0 receives nothing */
void cs_bytes_reduce_scatter(struct cs_call *call, struct cs_counts recvcounts, MPI_Datatype type);
void cs_bytes_reduce_scatter_block(struct cs_call *call, MPI_Count recvcount, MPI_Datatype type);

/* one-sided: origin's view */
void cs_bytes_put(struct cs_call *call, MPI_Count count, MPI_Datatype type, int target); /* also accumulate */
void cs_bytes_get(struct cs_call *call, MPI_Count count, MPI_Datatype type, int target);
void cs_bytes_get_accumulate(struct cs_call *call, MPI_Count count, MPI_Datatype type, MPI_Count result_count,
                             MPI_Datatype result_type, int target);
void cs_bytes_fetch(struct cs_call *call, MPI_Datatype type, int target); /* compare_and_swap: one element each way */
void cs_bytes_fetch_and_op(struct cs_call *call, MPI_Datatype type, int target, MPI_Op op); /* only back: MPI_NO_OP */

/* ---- neighbourhood collectives ---- */

void cs_bytes_neighbor_allgather(struct cs_call *call, MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
                                 MPI_Datatype recvtype);
void cs_bytes_neighbor_allgatherv(struct cs_call *call, MPI_Count sendcount, MPI_Datatype sendtype,
                                  struct cs_counts recvcounts, MPI_Datatype recvtype);
void cs_bytes_neighbor_alltoall(struct cs_call *call, MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
                                MPI_Datatype recvtype);
void cs_bytes_neighbor_alltoallv(struct cs_call *call, struct cs_counts sendcounts, MPI_Datatype sendtype,
                                 struct cs_counts recvcounts, MPI_Datatype recvtype);
void cs_bytes_neighbor_alltoallw(struct cs_call *call, struct cs_counts sendcounts, struct cs_types sendtypes,
                                 struct cs_counts recvcounts, struct cs_types recvtypes);

/* ---- the size of a received message ---- */

/* Bytes that a completed receive brought; 0 for a cancelled one. The status alone does not always tell: file
   operations do not set that field. MPI must be initialised. */
uint64_t cs_status_bytes(const MPI_Status *status);
