#include "wrappers/call/unwinding.h"

#include <errno.h>

#include "record/thread.h"
#include "wrappers/call/call.h"

/* From the C++ ABI for Itanium, which all systems with tables of frames follow. */
enum { UNWIND_VERSION = 1, UNWIND_CONTINUE = 8, UNWIND_CLEANUP_PHASE = 2 };

/* The native call has failed, and its frame is still whole. */
static void leave(struct cs_thread *thread)
{
    struct cs_call *call = thread->frames[thread->depth - 1];
    cs_stop(call);
    if (call->freeing.object)
        cs_being_freed_failed(thread, &call->freeing);
    cs_leave(call);
}

/* Called for each frame with a wrapper in it: first while somebody is looked for who catches the exception, then, if
   there is one, on the way to it, from the innermost frame on. A wrapper whose call is not recorded is not in the
   thread's list; but then the MPI is between it and the one that has, and no MPI catches anything. */
int cs_call_unwinding(int version, int actions, uint64_t exception_class, const void *exception, const void *context)
{
    int error = errno;
    struct cs_thread *thread = cs_thread_self;
    (void)exception_class;
    (void)exception;
    (void)context;
    if (version == UNWIND_VERSION && (actions & UNWIND_CLEANUP_PHASE) && cs_is_recording() && thread && thread->depth) {
        if (thread->depth <= CS_DEPTH_MAX)
            leave(thread);
        else
            cs_thread_abandon(thread);
    }
    errno = error;
    return UNWIND_CONTINUE;
}
