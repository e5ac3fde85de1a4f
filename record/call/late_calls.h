/* Calls after MPI_Finalize, such as those of destructors. The trace is written by then, so the names of their functions
   go to the file CS_RUN_LATE_NAME of the run folder, which db/run/late_file.h reads. */
#pragma once

#include <stdint.h>

/* MPI has finalized, and the recording has ended. */
void cs_late_calls_begin(int rank);

/* A session begins: calls are right again. */
void cs_late_calls_end(void);

/* A call that is not recorded, from this return address. Notes the first one of each function that needs the MPI, if
   it comes from the program. */
void cs_late_calls_note(uint16_t function, uint64_t site);
