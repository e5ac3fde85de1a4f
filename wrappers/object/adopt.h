/* Objects that are in use but not in the table: they were made where callsign could not see it. */
#pragma once

#include "record/object.h"
#include "wrappers/call/call.h"

/* The record of a communicator, datatype or window that the call used with success, entered now if it was not known;
   NULL for null handles and without memory. */
const struct callsign_record *cs_record_of(const struct cs_call *call, enum callsign_kind kind, uint64_t handle);

/* The same of the communicator, window or file that the call named. First of all that follows the success of the native
   call: then the handle is known to be good. */
void cs_adopt_unknown(struct cs_call *call);
static inline void cs_adopt(struct cs_call *call)
{
    if (__builtin_expect(call->unknown != 0, 0))
        cs_adopt_unknown(call);
}

/* Role, after success: a handle that the program is shown but does not own, such as f90 types. It may free its parent
   communicator like any other. */
void cs_borrowed(struct cs_call *call, enum callsign_kind kind, uint64_t handle);
