/* Merging a run while its job goes on. */
#pragma once

/* Writes what a run has recorded so far into a new file beside its folder, RUN.snapshot-N.db, and logs its name. For
   `callsign run`, in a child process. */
void cs_snapshot_write(const char *run);
