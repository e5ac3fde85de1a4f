/* Reports of one run, printed to stdout. */
#pragma once

#include <stdint.h>

#include "cli/command/command.h"
#include "cli/page/report_html.h"
#include "cli/report/reports.h"
#include "cli/rows/result.h"

#define CS_REPORT_ROWS_DEFAULT SIZE_MAX /* the number of rows that each report chooses */

struct cs_report_request {
    const struct cs_report **names; /* the reports; none: the overview, or with JSON the findings and all reports */
    size_t names_count;
    size_t rows; /* rows of each report, at most; 0: all */
    enum cs_format format;
    struct cs_reading reading;
    bool patient; /* as in struct cs_run_options */
    bool html;    /* write the page instead */
    struct cs_page_request page;
};

/* Returns the exit code of a command; errors are logged. */
int cs_report_run(const char *path, const struct cs_report_request *request);
