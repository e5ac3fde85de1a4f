/* Roles of functions that free objects. */
#pragma once

#include "wrappers/call/call.h"

/* Before the native call: takes the object from the live table, because another thread may be given the same handle the
   moment the call returns. Callbacks of this thread inside the free still find it: see record/thread.h. handle:
   CS_KEY */
void cs_freeing(struct cs_call *call, enum callsign_kind kind, uint64_t handle);

/* After it, whatever it returned: notes the death, or links the object again when the native call failed. */
void cs_freed(struct cs_call *call, int result);
