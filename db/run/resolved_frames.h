/* Writes function, file and line of frames into a trace, and variables of the program, so that they are also known
   where the program is missing. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/symbols/resolver.h"

/* Looks a frame up; returns false if nothing is known of it. Its module and build id are not NULL. */
typedef bool cs_resolved_frames_look(void *context, const struct cs_resolve_frame *frame, struct cs_source *found);

/* The same for data of the program: see cs_resolver_find_variable. */
typedef bool cs_resolved_variables_look(void *context, const struct cs_resolve_frame *frame,
                                        const struct cs_data_place *place, struct cs_variable *found);

struct cs_resolving {
    cs_resolved_frames_look *look;
    cs_resolved_variables_look *look_at_data;
    void *context;
};

/* Looks up all frames of the trace without function, and data without variable, and writes the results into a copy that
   replaces the trace, with its owner and mode. Readers of the old file are not disturbed. The trace stays unchanged if
   somebody else changes or owns it, or if it is read-only or invalid; nothing is logged. CS_OK: all results are
   written; CS_IO. */
enum cs_status cs_resolved_frames_write(const char *trace, const struct cs_resolving *resolving);

/* cs_resolved_frames_write for our own trace that nobody else knows yet: writes in place. CS_SQL. */
enum cs_status cs_resolved_frames_write_in_place(const char *trace, const struct cs_resolving *resolving);
