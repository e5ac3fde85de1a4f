/* Function, file and line of frames are written into a trace, so that they are known where the program is not there. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/symbols/resolver.h"

/* Looks a frame up; false: nothing is known of it. Its module and build id are not NULL. */
typedef bool cs_resolved_frames_look(void *context, const struct cs_resolve_frame *frame, struct cs_source *found);

/* Asks for every frame of the trace that has no function yet, and writes the answers into a copy that replaces the
   trace, with its owner and mode: whoever reads the trace meanwhile is not disturbed. A trace that somebody else
   changes or owns, that cannot be written or makes no sense stays as it is; nothing is logged. CS_OK: all that could be
   found is in it; CS_IO. */
enum cs_status cs_resolved_frames_write(const char *trace, cs_resolved_frames_look *look, void *context);

/* The same for a trace of our own making that nobody else knows yet: it is written in place. CS_SQL. */
enum cs_status cs_resolved_frames_write_in_place(const char *trace, cs_resolved_frames_look *look, void *context);
