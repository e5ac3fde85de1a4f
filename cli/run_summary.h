/* What a `callsign run` recorded, in one line at its end. */
#pragma once

#include <stdbool.h>

#include "db/run/job.h"

/* For each run folder of this launch: writes into it how the command ended, and prints to stderr how many ranks, where,
   and the next command. folder: where run folders were made; token: CALLSIGN_LAUNCH of the launch, as the folders' .run
   files have it; quiet: prints nothing. */
void cs_run_summary(const char *folder, const char *token, const struct cs_job *job, bool quiet);
