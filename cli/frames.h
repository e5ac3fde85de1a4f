/* Function, file and line of frames: looked up by the command and written into the traces, so that they are known where
   the program is not. */
#pragma once

#include <stdbool.h>

struct cs_frames;

/* NULL: out of memory. */
struct cs_frames *cs_frames_new(void);
void cs_frames_free(struct cs_frames *frames);

/* Resolves the frames of a trace that are not resolved yet, if the trace can be written. Each frame is looked up once,
   however many traces have it. frames NULL: nothing is done. */
void cs_frames_resolve(void *frames, const char *trace);

/* The same in a file that nobody else reads yet. False: it cannot be written. */
bool cs_frames_resolve_in_place(struct cs_frames *frames, const char *trace);

/* Calls the function: here, or in a thread with room where the stack limit of this process (ulimit -s) is too small for
   elfutils. */
void cs_large_stack_call(void (*function)(void *argument), void *argument);
