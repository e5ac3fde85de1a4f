/* What the ranks of a run need, in a line. */
#pragma once

#include "cli/report/report_print.h"

/* Prints a line with the ranks' memory, time on cores, and input and output; nothing if they are unknown. */
enum cs_status cs_usage_print(struct cs_report_output *output);
