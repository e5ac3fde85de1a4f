/* What arguments mean: one function per semantic role of gen/spec. The generator puts calls of these into the wrappers;
 * gen/roles has the table role -> function -> parameter types, and the build checks it against the prototypes of the
 * MPI at hand.
 *
 * "Before" roles run before the native call, with arguments that may be garbage: they only compare values with what
 * callsign knows. "Always" roles run after it whatever it returned, "after" roles only when it succeeded. */
#ifndef CS_WRAPPERS_ROLES_H
#define CS_WRAPPERS_ROLES_H

#include "wrappers/call/call.h"
#include "wrappers/detail/detail.h"
#include "wrappers/object/look_up.h"

/* An array of datatypes, as C or as Fortran has it. */
struct cs_types {
    const void *handles;
    bool fortran; /* MPI_Fint and not MPI_Datatype */
};
static inline struct cs_types cs_types_c(const MPI_Datatype types[])
{
    return (struct cs_types){types, false};
}
static inline struct cs_types cs_types_fortran(const void *types)
{
    return (struct cs_types){types, true};
}
static inline MPI_Datatype cs_type_at(struct cs_types types, MPI_Count i)
{
    return types.fortran ? PMPI_Type_f2c(((const MPI_Fint *)types.handles)[i])
                         : ((const MPI_Datatype *)types.handles)[i];
}

/* ---- before: what the call is about ---- */

/* The part that is in every wrapper leaves calls that are not recorded alone. */

void cs_on_comm_recorded(struct cs_call *call, MPI_Comm comm);
static inline void cs_on_comm(struct cs_call *call, MPI_Comm comm)
{
    if (call->thread)
        cs_on_comm_recorded(call, comm);
}

/* The time belongs to the window's communicator. */
void cs_on_win_recorded(struct cs_call *call, MPI_Win win);
static inline void cs_on_win(struct cs_call *call, MPI_Win win)
{
    if (call->thread)
        cs_on_win_recorded(call, win);
}

/* To the communicator that the file was opened on. */
void cs_on_file_recorded(struct cs_call *call, MPI_File file);
static inline void cs_on_file(struct cs_call *call, MPI_File file)
{
    if (call->thread)
        cs_on_file_recorded(call, file);
}

/* For "in which call it died"; CS_NO_TAG where there is none. */
void cs_on_peer_recorded(struct cs_call *call, int peer, int tag);
static inline void cs_on_peer(struct cs_call *call, int peer, int tag)
{
    if (call->thread)
        cs_on_peer_recorded(call, peer, tag);
}

/* For the same: what is to be sent, or what there is room for. Only of calls that may wait for their partner. */
void cs_on_length_recorded(struct cs_call *call, MPI_Count count, MPI_Datatype type);
static inline void cs_on_length(struct cs_call *call, MPI_Count count, MPI_Datatype type)
{
    if (call->thread)
        cs_on_length_recorded(call, count, type);
}

/* What something is made from, when that is a group, an info, a session: the parent of what the call makes. */
void cs_on(struct cs_call *call, enum callsign_kind kind, uint64_t handle);

/* Meets a predefined datatype while the MPI still has its own name for it. */
void cs_naming_type(struct cs_call *call, MPI_Datatype type);

/* Unlinks the object from the live table: another thread may be given the same handle the moment the native call
   returns. Callbacks of this thread inside the free still find it: see record/being_freed.h. */
void cs_freeing_comm(struct cs_call *call, MPI_Comm comm);
void cs_freeing_type(struct cs_call *call, MPI_Datatype type);
void cs_freeing_win(struct cs_call *call, MPI_Win win);
void cs_freeing_file(struct cs_call *call, MPI_File file);
void cs_freeing(struct cs_call *call, enum callsign_kind kind, uint64_t handle); /* all other kinds; handle: CS_KEY */
void cs_freeing_port(struct cs_call *call, const char *name, size_t length);

/* ---- always: also when the native call failed. result: what it returned ---- */

/* Follows every cs_freeing_*: notes the death, or links the object again. */
void cs_freed(struct cs_call *call, int result);

/* ---- after success: objects ---- */

/* A null handle is no object. The parent of a communicator is what cs_on_comm named. */
void cs_made_comm(struct cs_call *call, MPI_Comm comm);
void cs_made_type(struct cs_call *call, MPI_Datatype type, MPI_Datatype parent);
void cs_made_type_of(struct cs_call *call, MPI_Datatype type, MPI_Count count, struct cs_types parents); /* struct */
void cs_made_win(struct cs_call *call, MPI_Win win);
void cs_made_file(struct cs_call *call, MPI_File file);
/* All other kinds; handle: CS_KEY of it. Null handles and those of which nobody has to free anything are no objects. A
   group or error handler that is live already has one more reference. */
void cs_made(struct cs_call *call, enum callsign_kind kind, uint64_t handle);
void cs_made_memory(struct cs_call *call, const void *address, MPI_Aint size); /* where MPI_Alloc_mem put its address */
void cs_made_port(struct cs_call *call, const char *name, size_t length);      /* at most so long */
void cs_given_info(struct cs_call *call, const MPI_Info *info);                /* info may be NULL */
/* Handles that the program is shown but does not own: parent communicator, f90 types, match_size. */
void cs_met_comm(struct cs_call *call, MPI_Comm comm);
void cs_met_type(struct cs_call *call, MPI_Datatype type);
/* Types that the program was handed and must free, unless predefined (Type_get_contents, File_get_view). */
void cs_given_types(struct cs_call *call, MPI_Count count, struct cs_types types);
void cs_committed_type(struct cs_call *call, MPI_Datatype type);

void cs_named_comm(struct cs_call *call, MPI_Comm comm, const char *name);
void cs_named_type(struct cs_call *call, MPI_Datatype type, const char *name);
void cs_named_win(struct cs_call *call, MPI_Win win, const char *name);

/* ---- after success: attributes. value and found are the MPI function's own arguments ---- */

void cs_got_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, const void *value,
                      const int *found);
void cs_set_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, const void *value);
void cs_deleted_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval);
void cs_made_keyval(struct cs_call *call, enum callsign_kind kind, int keyval); /* kind: of objects that it is for */

/* ---- after success: bytes ----
   sent and received are what this process passes in and takes out, each partner counted: bytes = count x type size.
   Nothing for MPI_PROC_NULL, for arguments that are not significant on this process, and for the side where
   MPI_IN_PLACE stands when no data is sent. Arrays of counts are wrapped by CS_COUNTS, which knows whether they are int
   or MPI_Count. */

struct cs_counts {
    const void *values;
    bool large; /* MPI_Count and not int */
};
static inline struct cs_counts cs_counts_int(const int values[])
{
    return (struct cs_counts){values, false};
}
static inline struct cs_counts cs_counts_large(const MPI_Count values[])
{
    return (struct cs_counts){values, true};
}

/* What count elements of the type take; 0 for a count of 0, where the type may be anything. */
uint64_t cs_bytes_of(MPI_Count count, MPI_Datatype type);
MPI_Count cs_count_at(struct cs_counts counts, int i);

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

/* neighbourhood: partners are the out- and in-neighbours */
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

/* one-sided: origin's view */
void cs_bytes_put(struct cs_call *call, MPI_Count count, MPI_Datatype type, int target); /* also accumulate */
void cs_bytes_get(struct cs_call *call, MPI_Count count, MPI_Datatype type, int target);
void cs_bytes_get_accumulate(struct cs_call *call, MPI_Count count, MPI_Datatype type, MPI_Count result_count,
                             MPI_Datatype result_type, int target);
void cs_bytes_fetch(struct cs_call *call, MPI_Datatype type, int target); /* compare_and_swap: one element each way */
void cs_bytes_fetch_and_op(struct cs_call *call, MPI_Datatype type, int target, MPI_Op op); /* only back: MPI_NO_OP */

#endif
