/* The memory that this process has in windows, for local checks: what its own MPI calls do there, and whether it still
   exists. */
#pragma once

#include "wrappers/call/misuse.h"

/* The window that the call made has this memory. */
void cs_window_memory_add(const struct cs_call *call, const struct callsign_record *window, uint64_t begin,
                          uint64_t bytes);
void cs_window_memory_drop(uint32_t window);

/* The process holds this lock of its own part: 0: none, 1: shared, 2: exclusive. */
void cs_window_memory_lock(uint32_t window, uint16_t held);

/* The process has memory in a window. */
bool cs_window_memory_exists(void);

/* True if some of these bytes are. */
bool cs_window_memory_has(uint64_t begin, uint64_t end);

/* False if none of them are; for threads that are alone. */
extern uint64_t cs_window_memory_begin __attribute__((visibility("hidden"))); /* of all, and of all that was */
extern uint64_t cs_window_memory_end __attribute__((visibility("hidden")));
static inline bool cs_window_memory_may_have(uint64_t begin, uint64_t end)
{
    return begin < cs_window_memory_end && end > cs_window_memory_begin;
}

/* The call uses these bytes, which may be memory of a window. */
void cs_window_memory_use(const struct cs_call *call, bool writes, uint64_t begin, uint64_t end);

/* The memory of the call's window is not in the frame of a function that has returned. */
void cs_checks_window_memory(struct cs_call *call);
