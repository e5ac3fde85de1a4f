/* Data for debuggers besides the live table: threads and their current calls, requests, names of functions and
   constants, the clock. This file links it to callsign_debug; include/callsign/debug.h has the layouts. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "callsign/debug.h"

/* When recording begins. */
void cs_debugger_start(void);

/* Sets the handles that mpi.h names; the array must stay in place. */
void cs_debugger_constants(struct callsign_constant *constants, size_t count);

/* The journal has read both clocks again. */
void cs_debugger_update_clock(void);

/* Sets CALLSIGN_DEBUG_*. */
void cs_debugger_mark(uint64_t flag);
