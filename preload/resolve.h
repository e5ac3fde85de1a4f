/* The first call of a function: where calls of this name go from now on. */
#pragma once

#include <stdint.h>

/* Called by cs_front_first_call (entry_*.S): the function to jump to. caller: return address of the call. Finds out
   which MPI the program uses, loads the flavour for it and fills the slots, when that was not done before. */
void *cs_front_resolve(uint32_t index, const void *caller);
