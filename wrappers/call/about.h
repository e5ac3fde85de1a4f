/* What a call is about: roles before the native call, with arguments that may be garbage. They only compare values with
   what callsign knows; the part that is in every wrapper leaves calls that are not recorded alone. */
#pragma once

#include "wrappers/call/call.h"

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

/* A rank as the program names it, with CS_PEER_* for what is none. */
static inline int32_t cs_peer_of(int rank)
{
    if (__builtin_expect(rank >= 0, 1))
        return rank;
    return rank == MPI_ANY_SOURCE  ? CS_PEER_ANY
           : rank == MPI_PROC_NULL ? CS_PEER_NULL
           : rank == MPI_ROOT      ? CS_PEER_ROOT
                                   : rank;
}

/* With whom; for the envelope and for "in which call it died". CS_NO_TAG where there is none. */
void cs_on_peer_recorded(struct cs_call *call, int peer, int tag);
static inline void cs_on_peer(struct cs_call *call, int peer, int tag)
{
    if (call->thread)
        cs_on_peer_recorded(call, peer, tag);
}

/* The same of what a call receives that names another process to send to. */
void cs_on_source_recorded(struct cs_call *call, int source, int tag);
static inline void cs_on_source(struct cs_call *call, int source, int tag)
{
    if (call->thread)
        cs_on_source_recorded(call, source, tag);
}

/* The call is collective on its communicator, window or file: gives it the next number there. Right before the native
   call. What the MPI calls on its own is not counted. */
void cs_collective_recorded(struct cs_call *call, bool frees);
static inline void cs_collective(struct cs_call *call)
{
    if (call->thread && call->counted)
        cs_collective_recorded(call, call->freeing.object != NULL && !call->freeing.referred);
}

/* What something is made from, when that is a group, an info, a session: the parent of what the call makes. */
void cs_on(struct cs_call *call, enum callsign_kind kind, uint64_t handle);

/* Whether the call is on the object of the thread's call before, by its handle in Fortran; then the call is about it.
   The call is recorded. */
bool cs_call_is_on_last(struct cs_call *call, enum callsign_kind kind, int fortran_handle);

struct cs_request;

/* The call waits for this request, or receives this message; if anything is known of it. */
void cs_call_on_request(struct cs_call *call, const struct cs_request *request);

/* ---- synchronizing collectives ---- */

/* Members may be on other nodes, and count the calls of the program: not what the MPI calls on its own. */
static inline bool cs_is_synchronizing(const struct cs_call *call)
{
    return call->thread && call->on && cs_object_flags(call->on) & CS_OBJECT_SYNCHRONIZES && call->counted;
}

/* Before the call. */
void cs_synchronizing_recorded(struct cs_call *call);
static inline void cs_synchronizing(struct cs_call *call)
{
    if (cs_is_synchronizing(call))
        cs_synchronizing_recorded(call);
}

/* After success: it has synchronized; or it has if it exchanged data, which a role before this has counted. */
void cs_synchronized_recorded(struct cs_call *call);
static inline void cs_synchronized(struct cs_call *call)
{
    if (cs_is_synchronizing(call))
        cs_synchronized_recorded(call);
}
void cs_synchronized_by_data_recorded(struct cs_call *call);
static inline void cs_synchronized_by_data(struct cs_call *call)
{
    if (cs_is_synchronizing(call))
        cs_synchronized_by_data_recorded(call);
}
