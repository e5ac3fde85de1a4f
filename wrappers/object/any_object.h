/* Objects of any kind: found or adopted, freed, compared. */
#pragma once

#include "record/object.h"
#include "wrappers/call/call.h"

/* ---- find or adopt ---- */

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
void cs_adopt_borrowed(struct cs_call *call, enum callsign_kind kind, uint64_t handle);

/* ---- free ---- */

/* Before the native call: takes the object from the live table, because another thread may be given the same handle the
   moment the call returns. Callbacks of this thread inside the free still find it: see record/thread.h. handle:
   CS_KEY */
void cs_begin_free(struct cs_call *call, enum callsign_kind kind, uint64_t handle);

/* After it, whatever it returned: notes the death, or links the object again when the native call failed. */
void cs_end_free(struct cs_call *call, int result);

/* ---- compare ---- */

/* Role, after success; first, second: CS_KEY of them. answer: MPI_IDENT and so on. */
void cs_record_comparison(struct cs_call *call, enum callsign_kind first_kind, uint64_t first,
                          enum callsign_kind second_kind, uint64_t second, int answer);

/* ---- the program sets a name ---- */

/* Role: MPI_*_set_name returned. name: as C has it, or NULL; of a call that failed it is not looked at. */
void cs_record_name(struct cs_call *call, enum callsign_kind kind, uint64_t handle, const char *name, int result);
