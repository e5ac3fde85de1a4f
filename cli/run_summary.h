/* What a `callsign run` recorded, in one line at its end. */
#pragma once

/* Prints to stderr, for each run folder of this launch: how many ranks, where, and the next command. folder: where run
   folders were made; token: CALLSIGN_LAUNCH of the launch, as the folders' .run files have it. */
void cs_run_summary_print(const char *folder, const char *token);
