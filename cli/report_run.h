/* Reports of one run, printed to stdout. */
#pragma once

#include <stdint.h>

#include "cli/reports.h"
#include "cli/result.h"

#define CS_REPORT_ROWS_DEFAULT SIZE_MAX /* as many as each report shows by itself */

struct cs_report_request {
    const struct cs_report **names; /* which reports; none: the overview, or as JSON findings and all reports */
    size_t names_count;
    size_t rows; /* at most, of each; 0: all */
    enum cs_format format;
    bool patient; /* as in struct cs_run_options */
};

/* Returns the exit code of a command; trouble is logged. */
int cs_report_run(const char *path, const struct cs_report_request *request);
