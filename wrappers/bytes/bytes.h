/* How many bytes a call sends and receives: roles that run after success, and look only at arguments that the standard
   makes significant on this process, because the others may be garbage. Sent and received are what this process passes
   in and takes out, each partner counted: bytes = count x type size. Nothing for MPI_PROC_NULL and for the side where
   MPI_IN_PLACE stands when no data is sent. */
#pragma once

#include <stdint.h>

#include "whole_mpi.h"
#include "wrappers/call/arrays.h"
#include "wrappers/call/call.h"

/* point-to-point */
void cs_bytes_sent(struct cs_call *call, MPI_Count count, MPI_Datatype type, int dest);
void cs_bytes_received(struct cs_call *call, const MPI_Status *status); /* what really arrived, also of a file read */
void cs_bytes_posted(struct cs_call *call, MPI_Count count,
                     MPI_Datatype type); /* Irecv, Recv_init, Iread: size not known yet */
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
void cs_bytes_allreduce(struct cs_call *call, MPI_Count count, MPI_Datatype type); /* also scan */
void cs_bytes_exscan(struct cs_call *call, MPI_Count count, MPI_Datatype type);    /* rank 0 receives nothing */
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

/* Bytes that a completed receive brought. Not for cancelled ones; the status itself does not always tell: file
   operations leave that field as it was. MPI is initialised. */
uint64_t cs_status_bytes(const MPI_Status *status);
