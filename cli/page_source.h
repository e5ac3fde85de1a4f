/* The source text around call sites, for callsign report --html --with-source. */
#pragma once

#include "cli/report_print.h"

/* Writes a part with the lines around the call sites that take the most time, as far as their source files lie on this
   machine. CS_SQL: logged. */
enum cs_status cs_page_write_source(const struct cs_report_output *output);
