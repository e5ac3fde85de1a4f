/* What callsign knows of the object behind a handle, asking the MPI when it has to. */
#ifndef CS_WRAPPERS_OBJECT_LOOK_UP_H
#define CS_WRAPPERS_OBJECT_LOOK_UP_H

#include "record/object.h"
#include "wrappers/call/call.h"

/* The object that a call of this thread means by a handle, or NULL. What is being freed is not in the table any more,
   because another thread may be given its handle at any moment, but the callbacks inside that free still use it: it is
   looked for among the calls that this thread is in. And both MPIs keep what was freed while transfers use it, and call
   back inside the call that completes the last one: then it is the last that had this handle. */
const struct callsign_record *cs_object_in_callback(enum callsign_kind kind, uint64_t handle);
static inline const struct callsign_record *cs_object_look_up(enum callsign_kind kind, uint64_t handle)
{
    const struct callsign_record *object = cs_object_find(kind, handle);
    return __builtin_expect(object != NULL, 1) ? object : cs_object_in_callback(kind, handle);
}

/* The communicator, window or file that the call named is in use but not in the table: it was made where callsign could
   not see it. Only after the native call has succeeded: then the handle is known to be good. */
void cs_adopt_unknown(struct cs_call *call);

/* The record of a handle that the call used with success, entered now if it was not known; NULL for null handles and
   without memory. call: NULL for what the MPI shows the program. */
const struct callsign_record *cs_comm_record(const struct cs_call *call, MPI_Comm comm);
const struct callsign_record *cs_type_record(MPI_Datatype type);
const struct callsign_record *cs_win_record(const struct cs_call *call, MPI_Win win);

/* Bytes that a completed receive brought. Not for cancelled ones; the status itself does not always tell: file
   operations leave that field as it was. */
uint64_t cs_status_bytes(const MPI_Status *status);

/* MPI_COMM_WORLD, MPI_COMM_SELF and the parent communicator, once MPI is initialised. */
void cs_objects_world(void);

#endif
