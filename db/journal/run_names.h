/* What the files of a run are called: rank-00012.journal and rank-00012.db, or process-NODE-PID.journal and .db of a
   process whose rank was never known. */
#pragma once

#include <limits.h>
#include <stdbool.h>

#define CS_RUN_JOURNAL_SUFFIX ".journal"
#define CS_RUN_TRACE_SUFFIX   ".db"

/* The path of a rank's file. False: too long. */
bool cs_run_name_of_rank(const char *folder, int rank, const char *suffix, char path[PATH_MAX]);

/* The path of this process's journal before its rank is known. False: too long. */
bool cs_run_name_of_process(const char *folder, char path[PATH_MAX]);

/* The path of the trace that a journal becomes. False: too long. */
bool cs_run_name_of_trace(const char *journal, char trace[PATH_MAX]);

/* Whether a name begins as those of a run's files do. Then the number in it (the rank; the pid) begins at *number. */
bool cs_run_name_begins(const char *name, bool *ranked, const char **number);
