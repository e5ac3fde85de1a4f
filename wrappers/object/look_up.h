/* What callsign knows of the object behind a handle, asking the MPI when it has to. */
#ifndef CS_WRAPPERS_OBJECT_LOOK_UP_H
#define CS_WRAPPERS_OBJECT_LOOK_UP_H

#include "record/object.h"
#include "wrappers/call/call.h"

struct cs_types;

/* The communicator, window or file that the call named is in use but not in the table: it was made where callsign could
   not see it. First of all that follows the success of the native call: then the handle is known to be good. */
void cs_adopt_unknown(struct cs_call *call);
static inline void cs_adopt(struct cs_call *call)
{
    if (__builtin_expect(call->unknown != 0, 0))
        cs_adopt_unknown(call);
}

/* The record of a handle that the call used with success, entered now if it was not known; NULL for null handles and
   without memory. call: NULL for what the MPI shows the program. */
const struct callsign_record *cs_comm_record(const struct cs_call *call, MPI_Comm comm);
const struct callsign_record *cs_type_record(MPI_Datatype type);
const struct callsign_record *cs_win_record(const struct cs_call *call, MPI_Win win);
const struct callsign_record *cs_record_of(const struct cs_call *call, enum callsign_kind kind, uint64_t handle);

/* A datatype that the call showed: how it is made is known from the call. */
void cs_type_borrowed(const struct cs_call *call, MPI_Datatype type);

/* What MPI_Type_get_contents of a type has put into an array with that much room. */
void cs_type_contents(struct cs_call *call, MPI_Datatype type, MPI_Count room, struct cs_types types);

/* MPI_COMM_WORLD, MPI_COMM_SELF and the parent communicator, once MPI is initialised. */
void cs_objects_world(void);

#endif
