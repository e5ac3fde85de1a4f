/* The first call of a function: decides where calls of this name go. */
#pragma once

#include <stdint.h>

/* cs_front_first_call (entry_*.S) calls this. Returns the function to jump to. At first it finds the program's MPI,
   loads its flavour and fills the slots. caller: return address of the call. */
void *cs_front_resolve(uint32_t index, const void *caller);
