/* What debuggers read besides the live table: threads and the calls that they are in, requests, names of functions and
   constants, the clock. It is entered into callsign_debug here; layouts are those of include/callsign/debug.h. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "callsign/debug.h"

/* When recording begins. */
void cs_debugger_start(void);

/* The handles that mpi.h names; they stay where they are. */
void cs_debugger_constants(struct callsign_constant *constants, size_t count);

/* The journal has taken a fresh pair of clock readings. */
void cs_debugger_tick(void);

/* Sets CALLSIGN_DEBUG_*. */
void cs_debugger_mark(uint64_t flag);
