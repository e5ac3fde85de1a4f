/* Calls that returned an error: each function, call site and error is recorded once. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CS_FAILURES_KEPT = 64 };

/* True if such a failure is new, and there is room for it: record it. From any thread. */
bool cs_failures_add(uint16_t function, uint64_t site, int32_t error);
