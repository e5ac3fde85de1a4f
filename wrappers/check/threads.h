/* Local checks of threads. */
#pragma once

#include "whole_mpi.h"
#include "wrappers/call/call.h"

/* The thread may not call the MPI, or not while another one does; or another one is in a collective call on the same
   communicator. */
void cs_check_threads(struct cs_call *call);

/* The call has probed this message. Until the thread receives it, another thread may take it. */
void cs_check_probed(struct cs_call *call, const MPI_Status *status);

bool cs_check_has_probes(void);

/* The call receives a message with this source and tag, or takes one by MPI_Mprobe. */
void cs_checks_probed(struct cs_call *call, int source, int tag);

/* The call starts persistent requests, which may receive what its thread has probed. */
void cs_check_own_start(const struct cs_call *call);
