/* The source text around call sites, for callsign report --html --with-source. */
#pragma once

#include "cli/report/report_print.h"
#include "db/run/open_run.h"

/* Writes a part with the lines around the call sites that take the most time, as far as their source files lie on this
   machine: below the folder where the compiler ran (Python: the current folder), or below `folder` (NULL: none). Files
   are left out that neither belong to the owner of the run nor can be read by everybody. CS_SQL: logged. */
enum cs_status cs_page_write_source(const struct cs_report_output *output, const struct cs_run_info *info,
                                    const char *folder);
