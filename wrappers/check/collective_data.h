/* Roles that keep the arguments of collective calls that must agree on all members (MPI 4.1, 6). Nothing is compared
   here, and nothing is sent: db/trace/views/checks.sql compares what the members kept.

   Signatures of intercommunicators and of unknown datatypes are left out. So are arguments that have no meaning on this
   process. */
#pragma once

#include "wrappers/call/arrays.h"
#include "wrappers/call/call.h"

/* ---- before the call: count and datatype of one signature, equal on all members ---- */

void cs_check_agreed_data(struct cs_call *call, MPI_Count count, MPI_Datatype type);

/* The root receives from each member what that sends. */
void cs_check_agreed_gather(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                            MPI_Count recvcount, MPI_Datatype recvtype, int root);
void cs_check_agreed_scatter(struct cs_call *call, MPI_Count sendcount, MPI_Datatype sendtype, const void *recvbuf,
                             MPI_Count recvcount, MPI_Datatype recvtype, int root);

/* Blocks of one size from all to all. */
void cs_check_agreed_blocks(struct cs_call *call, const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                            MPI_Count recvcount, MPI_Datatype recvtype);

/* The operation, after the role of the data. */
void cs_check_agreed_op(struct cs_call *call, MPI_Op op);

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
