/* Tables of the process: its identity, the last activity of its threads, incomplete requests, and how it ended. */
#pragma once

#include "base/status.h"
#include "db/convert/conversion.h"

/* Reads the states of threads, finds the last known instant, writes the table, and collects what the process's row
   needs from all threads. Call it after the facts. */
enum cs_status cs_threads_write(struct cs_conversion *conversion);

/* Writes incomplete requests; only for a process that did not finalize, because otherwise they have no meaning. */
enum cs_status cs_requests_write(struct cs_conversion *conversion);

/* Writes the row of the process. Call it last: it needs everything else. */
enum cs_status cs_process_write(struct cs_conversion *conversion, enum cs_outcome outcome);
