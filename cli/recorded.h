/* What a `callsign run` left behind. */
#ifndef CS_CLI_RECORDED_H
#define CS_CLI_RECORDED_H

/* Prints to stderr, for each run folder of this launch: how many ranks, where, and the next command. folder: where run
   folders were made; token: CALLSIGN_LAUNCH of the launch, as the folders' .run files have it. */
void cs_recorded_tell(const char *folder, const char *token);

#endif
