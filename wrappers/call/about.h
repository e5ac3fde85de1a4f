/* Roles that record what a call is about, before the native call. Their arguments may be garbage, so they only
   compare them with what callsign knows. A wrapper passes calls that are not recorded on without them. */
#pragma once

#include "wrappers/call/call.h"

/* Not the object of the call before, or a call inside another. */
void cs_on_another(struct cs_call *call, enum callsign_kind kind, uint64_t handle);

/* Most calls use the communicator of the call before. */
static inline __attribute__((always_inline)) void cs_on_object(struct cs_call *call, enum callsign_kind kind,
                                                               uint64_t handle)
{
    struct cs_thread *thread = call->thread;
    const struct callsign_record *object = thread->last_object;
    if (__builtin_expect(!object || !cs_object_is(object, kind, handle), 0)) {
        cs_on_another(call, kind, handle);
        return;
    }
    call->on = object;
    call->about = object->id;
    __atomic_store_n(&thread->state->object, object->id, __ATOMIC_RELAXED);
}

static inline void cs_on_comm(struct cs_call *call, MPI_Comm comm)
{
    cs_on_object(call, CALLSIGN_COMMUNICATOR, CS_KEY(comm));
}

/* The time counts for the window's communicator. */
static inline void cs_on_win(struct cs_call *call, MPI_Win win)
{
    cs_on_object(call, CALLSIGN_WINDOW, CS_KEY(win));
}

/* The time counts for the communicator that the file was opened on. */
static inline void cs_on_file(struct cs_call *call, MPI_File file)
{
    cs_on_object(call, CALLSIGN_FILE, CS_KEY(file));
}

/* Converts a rank: MPI_PROC_NULL and similar values become CS_PEER_*. */
static inline int32_t cs_peer_of(int rank)
{
    if (__builtin_expect(rank >= 0, 1))
        return rank;
    return rank == MPI_ANY_SOURCE  ? CS_PEER_ANY
           : rank == MPI_PROC_NULL ? CS_PEER_NULL
           : rank == MPI_ROOT      ? CS_PEER_ROOT
                                   : rank;
}

/* The peer of the call, for the envelope and for reports on the last call. CS_NO_TAG: no tag. */
void cs_on_peer_otherwise(struct cs_call *call, int peer, int tag);
static inline void cs_on_peer(struct cs_call *call, int peer, int tag)
{
    static_assert(offsetof(struct cs_thread_state, tag) == offsetof(struct cs_thread_state, peer) + sizeof(int32_t),
                  "peer and tag are one word");
    if (__builtin_expect(peer < 0 || tag < 0 || call->thread->depth != 1, 0)) {
        cs_on_peer_otherwise(call, peer, tag);
        return;
    }
    const uint64_t both = (uint32_t)peer | (uint64_t)(uint32_t)tag << 32;
    memcpy((char *)call + offsetof(struct cs_call, peer), &both, sizeof both);
    memcpy((char *)call->thread->state + offsetof(struct cs_thread_state, peer), &both, sizeof both);
}

/* The tag of a call that creates a communicator, for reports on the last call. */
void cs_on_tag(struct cs_call *call, int tag);

/* The source of a call that also names a destination. */
void cs_on_source(struct cs_call *call, int source, int tag);

/* A collective call: gets the next number on its communicator, window or file. Must run directly before the native
   call. Calls by the MPI itself are not counted. operation: the function without its form for large counts. The second
   form: earlier roles have set call->data, which must agree on all members. */
void cs_collective_recorded(struct cs_call *call, uint16_t operation);
void cs_collective_recorded_with(struct cs_call *call, uint16_t operation);
static inline void cs_collective(struct cs_call *call, uint16_t operation)
{
    if (cs_call_is_recorded(call) && call->counted)
        cs_collective_recorded(call, operation);
}
static inline void cs_collective_with(struct cs_call *call, uint16_t operation)
{
    if (cs_call_is_recorded(call) && call->counted)
        cs_collective_recorded_with(call, operation);
}

/* After the native call: an error makes the numbers of later calls doubtful. */
void cs_collective_failed(const struct cs_call *call);
static inline void cs_collective_returned(const struct cs_call *call, int result)
{
    if (__builtin_expect(result != MPI_SUCCESS, 0))
        cs_collective_failed(call);
}

/* The group, info or session that a new object is made from becomes its parent. */
void cs_on(struct cs_call *call, enum callsign_kind kind, uint64_t handle);

/* True if the Fortran handle is that of the thread's last object; the call is then about this object. Only for
   recorded calls. */
bool cs_call_is_on_last(struct cs_call *call, enum callsign_kind kind, int fortran_handle);

struct cs_request;

/* The call waits for this request, or receives this message, if callsign knows it. */
void cs_call_on_request(struct cs_call *call, const struct cs_request *request);

/* ---- synchronizing collectives ---- */

/* True if the call is by the program, not by the MPI, and members may be on other nodes. */
static inline bool cs_is_synchronizing(const struct cs_call *call)
{
    return cs_call_is_recorded(call) && atomic_load_explicit(&cs_recorder.spans_nodes, memory_order_relaxed) &&
           call->on && cs_object_flags(call->on) & CS_OBJECT_SYNCHRONIZES && call->counted;
}

/* Before the call. */
void cs_synchronizing_recorded(struct cs_call *call);
static inline void cs_synchronizing(struct cs_call *call)
{
    if (cs_is_synchronizing(call))
        cs_synchronizing_recorded(call);
}

/* After success: the call has synchronized its members; the second form only if it exchanged data, which an earlier
   role has counted. */
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
