/* callsign report RUN --html: one HTML file that needs nothing else. */
#pragma once

#include "cli/report/report_print.h"
#include "db/run/open_run.h"

struct cs_page_request {
    const char *file;        /* NULL: report.html in the folder of the run */
    bool sql;                /* with the SQL box */
    bool source;             /* with the source text around call sites */
    const char *source_path; /* also below this folder; NULL: none */
};

/* Writes the page of a run and prints its path. `output` has database, resolver and run. CS_IO, CS_SQL, CS_NO_MEMORY:
   logged. */
enum cs_status cs_page_write(const struct cs_report_output *output, const struct cs_run_info *info,
                             const struct cs_page_request *request);
