/* Findings about waits between ranks, in sentences. */
#pragma once

#include "cli/report_print.h"

#define CS_WAITS_NO_EVENTS                                                                                             \
    "The run has no events. callsign run --events keep records the last ones of each rank; a rank that dies "          \
    "always leaves them."

/* True if the run has events. */
bool cs_waits_have_events(struct sqlite3 *db);

/* Appends "from 0.000 s to 3.231 s" after `before`. */
void cs_waits_add_span(struct cs_phrase *line, const char *before, double from, double to);

/* Prints a line for each row of the view wait_findings. Returns CS_SQL if it cannot be read; that was logged. */
enum cs_status cs_waits_print_findings(struct cs_report_output *output);
