/* Calls that returned an error, and wrong calls: each function, call site and error is recorded once. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* True if such a failure is new, and there is room for it among about a thousand: record it. Without room, it counts as
   lost. From any thread. */
bool cs_failures_add(uint16_t function, uint64_t site, int32_t error);
