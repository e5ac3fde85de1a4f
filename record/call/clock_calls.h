/* Calls that a signal handler may make: MPI_Wtime and others that read a clock. No MPI takes a lock for them, so the
   program may interrupt anything with them, also callsign's own work. Where recording such a call could need a lock or
   memory, and the call may be a handler's, it is kept here and added to the profile later. All functions but
   cs_clock_calls_add_kept are safe in signal handlers. */
#pragma once

#include <stdint.h>

#include "record/process/thread.h"

/* Keeps a call of a function at this return address, which took so long. */
void cs_clock_call_keep(uint16_t function, uint64_t site, uint64_t ticks);

/* Adds the kept calls of all threads to the profile of this one, which is in no call and has been seen on a
   processor. */
void cs_clock_calls_add_kept(struct cs_thread *thread);
