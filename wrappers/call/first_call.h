/* Getting ready, at the first MPI call of any kind. */
#pragma once

#include "record/thread.h"

/* For the first call of a thread: everything that must be ready is ready afterwards. NULL: nothing is recorded. */
struct cs_thread *cs_first_call_of_thread(void);

/* What else is to be done at the first call of the process, once the recording has begun: CS_AT_FIRST_CALL(function);
   beside the function. The linker makes an array of them all, so that none depends on a constructor that may run after
   the first call. In no order. */
#define CS_AT_FIRST_CALL(function)                                                                                     \
    static void (*const function##_entry)(void) __attribute__((used, section("cs_at_first_call"))) = (function)
