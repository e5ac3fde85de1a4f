/* Where this process runs: processor, allowed processors, how the MPI calls the processor. */
#pragma once

#include <stddef.h>

#include "db/journal/format.h"

/* Notes where the calling thread is now. processor_name: MPI_Get_processor_name's answer, or "" if it was not asked. */
void cs_placement_note(enum cs_placement_reason reason, uint32_t thread, const char *processor_name);

struct cs_thread;

/* The program asked for the processor name at this call site and was answered with these bytes: up to `bytes` or a NUL,
   without blanks at the end. */
void cs_placement_asked(struct cs_thread *thread, uint64_t site, const char *name, size_t bytes, uint64_t ticks);
