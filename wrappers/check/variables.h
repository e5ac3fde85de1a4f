/* Local checks of data in variables of the program: on the stack of the calling thread, or static. */
#pragma once

#include "record/site/stack.h"
#include "wrappers/call/misuse.h"

/* A buffer in the frame of a function must not contain the return address of a running function. */
void cs_check_frames_now(struct cs_call *call, uint64_t begin, uint64_t end);
static inline void cs_check_frames(struct cs_call *call, uint64_t begin, uint64_t end)
{
    if (cs_stack_has(call->thread, begin))
        cs_check_frames_now(call, begin, end);
}

/* Notes where the data of this call lies: who reads the trace compares it with the variable in the debugging
   information. Not for data whose pieces may lie in several variables. */
void cs_check_variable(struct cs_call *call, bool writes, uint64_t begin, uint64_t bytes);
