/* Where this process runs: processor, allowed processors, how the MPI calls the processor. */
#pragma once

#include "db/journal/format.h"

/* Notes where the calling thread is now. processor_name: MPI_Get_processor_name's answer, or "" if it was not asked. */
void cs_placement_note(enum cs_placement_reason reason, uint32_t thread, const char *processor_name);
