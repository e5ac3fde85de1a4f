/* Findings about waits between ranks, in sentences. */
#pragma once

#include "cli/report/report_print.h"

#define CS_WAITS_NO_EVENTS                                                                                             \
    "The run has no events. callsign run --events keep records the last ones of each rank; a rank that dies "          \
    "always leaves them."

/* True if the run has events. */
bool cs_waits_have_events(struct sqlite3 *db);

/* Appends "from 0.000 s to 3.231 s" after `before`. */
void cs_waits_add_span(struct cs_phrase *line, const char *before, double from, double to);

/* Says how many threads have no events, if there are any. The page says it above the picture. */
enum cs_status cs_waits_print_threads_without(struct cs_report_output *output);
