/* The first call of a function: where calls of this name go from now on. */
#pragma once

#include <stdint.h>

/* cs_front_first_call (entry_*.S) calls this. Returns the function to jump to. Finds out which MPI the program uses,
   loads its flavour and fills the slots, unless that is done. caller: return address of the call. */
void *cs_front_resolve(uint32_t index, const void *caller);
