/* Local checks of threads. */
#pragma once

#include "base/guard.h"
#include "whole_mpi.h"
#include "wrappers/call/call.h"

/* The thread may not call the MPI, or not while another one does; or another one is in a collective call on the same
   communicator. */
void cs_check_several_threads(struct cs_call *call);
extern _Atomic uint32_t cs_allowed_thread __attribute__((visibility("hidden"))); /* as long as it is the only one */
static inline void cs_check_threads(struct cs_call *call)
{
    if (__builtin_expect(
            cs_is_shared() || atomic_load_explicit(&cs_allowed_thread, memory_order_relaxed) != call->thread->tid, 0))
        cs_check_several_threads(call);
}

/* The call has probed this message. Until the thread receives it, another thread may take it. */
void cs_check_probed(struct cs_call *call, const MPI_Status *status);

bool cs_check_has_probes(void);

/* The call receives a message with this source and tag, or takes one by MPI_Mprobe. */
void cs_checks_probed(struct cs_call *call, int source, int tag);

/* The call starts persistent requests, which may receive what its thread has probed. */
void cs_check_own_start(const struct cs_call *call);
