/* What the overview finds besides the views. */
#pragma once

#include "base/status.h"
#include "cli/report/report_print.h"

/* Appends the best gain of a faster late rank, if it is worth a sentence, to *found: a JSON array for
   cs_findings_of_json, to be freed with sqlite3_free; NULL: empty. CS_SQL (logged), CS_NO_MEMORY. */
enum cs_status cs_report_find_gain(const struct cs_report_output *output, char **found);
