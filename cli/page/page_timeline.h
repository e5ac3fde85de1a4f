/* The still picture of the page's time line. */
#pragma once

#include "cli/report/report_print.h"

/* Draws what each rank did when, from the rows of the picture timeline. Errors were logged. */
enum cs_status cs_page_draw_timeline(struct cs_report_output *output);
