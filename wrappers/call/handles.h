/* Local checks of handles: null ones, those of freed objects, and those that are none. A handle that callsign does not
   know is wrong only if that is certain: libraries may have made objects past callsign. */
#pragma once

#include "wrappers/call/misuse.h"

/* The communicator, window or file of a call, or the object that it frees, is not in the table. Runs always: it only
   delays calls that callsign knows nothing about. */
void cs_unknown_check(struct cs_call *call);

/* The same for the object that a call frees, which may also belong to the MPI. */
void cs_freed_check(struct cs_call *call);

/* Roles for other handles of a call, if CALLSIGN_CHECK asks for all checks. The second one allows the null handle. */
void cs_checks_handle(struct cs_call *call, enum callsign_kind kind, uint64_t handle);
void cs_checks_handle_or_null(struct cs_call *call, enum callsign_kind kind, uint64_t handle);

/* False: a request or message with this handle was surely never made. */
bool cs_handle_may_be(enum callsign_kind kind, uint64_t handle);
