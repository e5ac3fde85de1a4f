/* Which interpreter of CPython runs on the calling thread: a program may have several, one inside the other. */
#pragma once

#include <stdint.h>

#include "record/process/thread.h"
#include "record/site/python_layout.h"

/* The interpreters of the process: results of PyInterpreterState_Head and PyInterpreterState_Main. */
struct cs_python_interpreters {
    uint64_t first, main;
};

/* The thread state whose Python code runs innermost on the calling thread. own: result of
   PyGILState_GetThisThreadState, which before 3.12 is the state in the outermost interpreter; 0: none. Returns 0 if no
   Python runs, and where the states do not tell: on a coroutine's stack, while another thread changes the interpreters,
   and before 3.10. Takes a system call for each interpreter and for each thread state. */
uint64_t cs_python_state_find(const struct cs_python_layout *layout, struct cs_python_interpreters interpreters,
                              uint64_t own, struct cs_thread *thread);
