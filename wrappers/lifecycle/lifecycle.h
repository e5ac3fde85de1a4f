/* Init, Finalize, Abort, sessions, Pcontrol: when the recording begins and ends. */
#ifndef CS_WRAPPERS_LIFECYCLE_LIFECYCLE_H
#define CS_WRAPPERS_LIFECYCLE_LIFECYCLE_H

#include "wrappers/call/call.h"

/* Around the calls that begin and end MPI, whatever the language. The arguments are results of the native call. */
void cs_lifecycle_initialized(struct cs_call *call, int result);
void cs_lifecycle_finalizing(struct cs_call *call); /* before; cs_lifecycle_finalized after cs_leave */
void cs_lifecycle_finalized(bool recorded);
void cs_lifecycle_aborting(struct cs_call *call, MPI_Comm comm);
void cs_lifecycle_session_initialized(struct cs_call *call, int result);
void cs_lifecycle_session_finalized(struct cs_call *call, int result);
void cs_lifecycle_pcontrol(struct cs_call *call, int level); /* before */

#endif
