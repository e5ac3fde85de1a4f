/* What arguments mean: one function per semantic role of gen/spec. The generator puts calls of these into the wrappers;
 * gen/roles has the table role -> function -> parameter types, and the build checks it against the prototypes of the
 * MPI at hand.
 *
 * "Before" roles run before the native call, with arguments that may be garbage: they only compare values with what
 * callsign knows. "Always" roles run after it whatever it returned, "after" roles only when it succeeded. */
#ifndef CS_WRAPPERS_ROLES_H
#define CS_WRAPPERS_ROLES_H

#include "wrappers/bytes/bytes.h"
#include "wrappers/bytes/neighbor.h"
#include "wrappers/call/call.h"
#include "wrappers/detail/detail.h"
#include "wrappers/lifecycle/lifecycle.h"
#include "wrappers/request/completion.h"
#include "wrappers/request/pending.h"
#include "wrappers/request/persistent.h"
#include "wrappers/object/look_up.h"
#include "wrappers/object/set_name.h"

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
void cs_freeing(struct cs_call *call, enum callsign_kind kind, uint64_t handle); /* handle: CS_KEY of it */
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
void cs_handed_out_info(struct cs_call *call, const MPI_Info *info);           /* info may be NULL */
/* A handle that the program is shown but does not own: parent communicator, f90 types, match_size. It may free its
   parent communicator like any other. */
void cs_borrowed(struct cs_call *call, enum callsign_kind kind, uint64_t handle);
/* Types that the program has to free, unless predefined (Type_get_contents, File_get_view). */
void cs_handed_out_types(struct cs_call *call, MPI_Count count, struct cs_types types);
void cs_committed_type(struct cs_call *call, MPI_Datatype type);

/* ---- after success: attributes. value and found are the MPI function's own arguments ---- */

void cs_got_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, const void *value,
                      const int *found);
void cs_set_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, const void *value);
void cs_deleted_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval);
void cs_made_keyval(struct cs_call *call, enum callsign_kind kind, int keyval); /* kind: of objects that it is for */

#endif
