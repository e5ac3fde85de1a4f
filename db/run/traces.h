/* Provides each file of a run as a trace: journals are converted, into a temporary folder if theirs is not writable. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "db/run/files.h"
#include "db/run/open_run.h"

struct cs_run_traces {
    char **path;
    size_t count;
    char *temporary; /* folder for traces that could not be written next to their journals; NULL: none */
    bool foreign;    /* a journal of another user was skipped, which was logged */
    bool patient;    /* as in struct cs_run_options */
    struct cs_run_info info;
};

/* Moves the traces' paths out of `files`. Journals that cannot be converted are skipped and logged in one line.
   CS_NO_MEMORY. */
enum cs_status cs_run_traces_collect(struct cs_run_files *files, const struct cs_run_options *options,
                                     struct cs_run_traces *traces);

/* Removes the files in the temporary folder; open ones stay readable. */
void cs_run_traces_unlink(struct cs_run_traces *traces);

/* Removes the files and frees all memory. A zeroed structure is allowed. */
void cs_run_traces_free(struct cs_run_traces *traces);
