/* Files for monitoring: figures of the last interval in the text format of Prometheus (0.0.4), which the textfile
   collector of its node exporter reads, or in that of OpenMetrics 1.0. */
#pragma once

#include "cli/top/top_output.h"

enum cs_top_metrics { CS_TOP_PROMETHEUS, CS_TOP_OPENMETRICS, CS_TOP_METRICS };

/* Replaces the file. Returns an exit code; a failure was logged. */
int cs_top_write_metrics(const struct cs_top_view *view, enum cs_top_metrics form, const char *path);
