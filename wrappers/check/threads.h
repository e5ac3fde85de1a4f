/* Local checks of threads. */
#pragma once

#include "wrappers/call/call.h"

/* The thread may not call the MPI, or not while another one does; or another one is in a collective call on the same
   communicator. */
void cs_check_threads(struct cs_call *call);
