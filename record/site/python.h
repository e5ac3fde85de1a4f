/* Lines of Python: with CPython in the process, the call site of a call from Python begins with the line of Python
   that made it. README.md in this folder explains how frames are read without the interpreter's lock. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/process/recorder.h"
#include "record/process/thread.h"
#include "record/site/stack.h"

/* Looks for CPython among the loaded libraries, and again if libraries came since. Cheap otherwise. Does nothing
   without call stacks (CALLSIGN_STACKS=none). */
void cs_python_look(void);

/* The innermost part of a call site: the return address into the program, after which comes, if the calling thread runs
   Python, the line of Python. Then it is the number of a stack. Frames of mpi4py and of the import system do not count.
 */
uint64_t cs_python_find_line(struct cs_thread *thread, uint64_t return_address);
static inline uint64_t cs_python_line(struct cs_thread *thread, uint64_t return_address)
{
    return __builtin_expect(atomic_load_explicit(&cs_recorder.on, memory_order_acquire) & CS_SEES_PYTHON, 0)
               ? cs_python_find_line(thread, return_address)
               : return_address;
}

/* The call site for facts. line: result of cs_python_line. If it is a return address, the same as cs_stack_take;
   otherwise the whole stack, in which the thread's Python frames replace the frames of the interpreter. Where C and
   Python frames cannot be matched, the stack ends with the Python frames. Returns `line` if the stack cannot be
   walked. base: as for cs_stack_find. */
uint64_t cs_python_stack_of_line(struct cs_thread *thread, uint64_t line, const void *base);
static inline uint64_t cs_python_stack(struct cs_thread *thread, uint64_t line, const void *base)
{
    return __builtin_expect(line & CS_SITE_STACK ? 1 : 0, 0) ? cs_python_stack_of_line(thread, line, base)
                                                             : cs_stack_take(thread, line, base);
}

/* In a forked child. */
void cs_python_forget(void);
