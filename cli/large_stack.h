/* elfutils needs more stack than small limits (ulimit -s) leave. */
#pragma once

/* Calls the function: here, or in a thread with room where the limit of this process is small. */
void cs_large_stack_call(void (*function)(void *argument), void *argument);
