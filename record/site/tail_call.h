/* Functions that end in an MPI call by a jump, and so leave no frame on the stack. */
#pragma once

#include <stdint.h>

#include "record/site/unwinder.h"

/* Looks at the call instruction before a return address from which an MPI function was called. If it calls another
   function of the program, that function has left the stack by a tail call: the journal gets it. Call it for each new
   call site; a system call for each. */
void cs_tail_call_record(uint64_t return_address);

/* The function that has left the stack so; 0: none. System calls, each time. */
uint64_t cs_tail_call_find(uint64_t return_address);

/* The same for two neighbours of a stack: the function that the outer one called and that the inner one's function has
   replaced by a jump. 0: none, or unknown. The last results are kept. */
uint64_t cs_tail_call_find_between(uint64_t return_address, uint64_t inner);

/* Functions between two frames are found only with it. */
void cs_tail_call_set_bounds(cs_unwind_bounds_function *function);
