/* Objects of any kind: looking up, adopting, freeing, comparing. */
#pragma once

#include "record/object/object.h"
#include "wrappers/call/call.h"

/* ---- find or adopt ---- */

/* The record of a communicator, datatype or window after a successful call with it; unknown objects are added. NULL
   for null handles and without memory. */
const struct callsign_record *cs_record_of(const struct cs_call *call, enum callsign_kind kind, uint64_t handle);

/* cs_record_of for the communicator, window or file of the call. The first step after success, which proves the
   handle valid. */
void cs_adopt_unknown(struct cs_call *call);
static inline void cs_adopt(struct cs_call *call)
{
    if (__builtin_expect(call->unknown != 0, 0))
        cs_adopt_unknown(call);
}

/* Role, after success: a handle that the program receives but does not own, such as f90 types. It may free a parent
   communicator like any other. */
void cs_adopt_borrowed(struct cs_call *call, enum callsign_kind kind, uint64_t handle);

/* ---- free ---- */

/* Before the native call: takes the object from the live table, because another thread may get the same handle as
   soon as the call returns. Callbacks of this thread inside the free still find it (record/object/object.h). handle:
   CS_KEY */
void cs_begin_free(struct cs_call *call, enum callsign_kind kind, uint64_t handle);

/* After the native call, whatever it returned: records the death, or links the object again if the call failed. */
void cs_end_free(struct cs_call *call, int result);

/* ---- compare ---- */

/* Role, after success; first, second: their CS_KEY. answer: MPI_IDENT etc. */
void cs_record_comparison(struct cs_call *call, enum callsign_kind first_kind, uint64_t first,
                          enum callsign_kind second_kind, uint64_t second, int answer);

/* ---- the program sets a name ---- */

/* Role: MPI_*_set_name returned. name: from C, or NULL; ignored if the call failed. */
void cs_record_name(struct cs_call *call, enum callsign_kind kind, uint64_t handle, const char *name, int result);
