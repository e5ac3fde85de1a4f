/* Function, file and line of frames. The command looks them up and writes them into traces, so that they are also
   known where the program is missing. */
#pragma once

#include <stdbool.h>

struct cs_frames;

/* NULL: out of memory. */
struct cs_frames *cs_frames_new(void);
void cs_frames_free(struct cs_frames *frames);

/* Resolves the unresolved frames of a trace, if it is writable. Each frame is looked up once, even if many traces
   have it. frames NULL: does nothing. */
void cs_frames_resolve(void *frames, const char *trace);

/* cs_frames_resolve for a file that nobody else reads yet. Returns false if it cannot be written. */
bool cs_frames_resolve_in_place(struct cs_frames *frames, const char *trace);

/* The same for struct cs_run_options; what cannot be written is looked up whenever it is shown. */
void cs_frames_resolve_merged(void *frames, const char *database);

/* Calls the function. If this process's stack limit (ulimit -s) is too small for elfutils, it runs in a thread with
   a larger stack. */
void cs_large_stack_call(void (*function)(void *argument), void *argument);
