/* A progress bar on stderr: only on a terminal, and only for work that lasts longer than a second. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct cs_progress {
    const char *what; /* "reading ranks" */
    uint64_t begun_ns, drawn_ns;
    bool wanted, drawn;
};

void cs_progress_begin(struct cs_progress *progress, const char *what);

/* Fits struct cs_run_options.progress; progress points to a struct cs_progress. */
void cs_progress_step(void *progress, uint64_t done, uint64_t total);

/* Wipes the bar away. */
void cs_progress_end(struct cs_progress *progress);
