/* Local checks of buffers in the stack of the calling thread. */
#pragma once

#include "wrappers/call/misuse.h"

/* A buffer in the frame of a function must not contain the return address of a running function. */
void cs_check_frames(struct cs_call *call, uint64_t begin, uint64_t end);
