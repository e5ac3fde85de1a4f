/* Every file of a run as a trace: journals are sealed, into a temporary folder where theirs cannot be written. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "db/run/files.h"
#include "db/run/open_run.h"

struct cs_run_traces {
    char **path;
    size_t count;
    char *temporary; /* folder of traces that could not be written next to their journals; NULL: none */
    bool foreign;    /* there was a journal of another user, which was logged */
    bool patient;    /* as in struct cs_run_options */
    struct cs_run_info info;
};

/* Takes the traces' paths out of `files`. What cannot be sealed is left out and logged in one line. CS_NO_MEMORY. */
enum cs_status cs_run_traces_collect(struct cs_run_files *files, const struct cs_run_options *options,
                                     struct cs_run_traces *traces);

/* Removes what lies in the temporary folder: who has it open can read on. */
void cs_run_traces_unlink(struct cs_run_traces *traces);

/* Likewise, and all memory. Of zeros it frees nothing. */
void cs_run_traces_free(struct cs_run_traces *traces);
