/* Init, Finalize, Abort, sessions: when the recording begins and ends. */
#pragma once

#include "wrappers/call/call.h"

/* Roles, before the native call. */
void cs_lifecycle_initializing(struct cs_call *call);
void cs_lifecycle_session_initializing(struct cs_call *call);
void cs_lifecycle_aborting(struct cs_call *call, int64_t code);

/* Roles, whatever the native call returned. */
void cs_lifecycle_initialized(struct cs_call *call, int result);
void cs_lifecycle_session_initialized(struct cs_call *call, int result);

/* Role, after success and after the session was freed. */
void cs_lifecycle_session_finalized(struct cs_call *call);

/* Role, after success: the name is the first `bytes` bytes at most. */
void cs_asked_processor(struct cs_call *call, const void *name, size_t bytes);

/* For hand-written wrappers, in any language. */
void cs_lifecycle_finalizing(struct cs_call *call); /* replaces cs_start */
void cs_lifecycle_finalized(bool recorded);         /* after cs_leave; recorded: with success */
