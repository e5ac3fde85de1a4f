/* Calls a function on other memory than the thread's stack, which may be small. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Calls function(argument) on `bytes` bytes at `stack`, and returns when it returns; makecontext (3). The function must
   not end the thread or jump out. About 2 KiB of the memory are needed beside the function's own. Returns false if it
   was not called. */
bool cs_other_stack_call(void *stack, size_t bytes, void (*function)(void *argument), void *argument);
