/* Requests that are pending when what they are on is freed. */
#pragma once

#include <stdint.h>

/* Tells, by call site and function, how many requests on this communicator, window or file are pending. It was freed
   just now: ticks. */
void cs_pending_tell(uint32_t object, uint64_t ticks);
