/* Initialization at the first MPI call of any kind. */
#pragma once

#include <stdbool.h>

#include "record/process/thread.h"

/* Called at the first call of a thread; initializes what is missing. Returns NULL if nothing is recorded. */
struct cs_thread *cs_first_call_of_thread(void);

/* True if this thread is in cs_first_call_of_thread, and a signal handler interrupts it. */
bool cs_is_first_call_running(void);

/* Registers more work for the first call of the process, after the recording began: CS_AT_FIRST_CALL(function); next
   to the function. The linker collects an array, so that nothing depends on constructors, which may run after the
   first call. The order is undefined. */
#define CS_AT_FIRST_CALL(function)                                                                                     \
    static void (*const function##_entry)(void) __attribute__((used, section("cs_at_first_call"))) = (function)
