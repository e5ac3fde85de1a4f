/* Writes the events of a run as a trace for Perfetto (ui.perfetto.dev). */
#pragma once

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

/* A process for each rank, a track for each thread, a slice for each call, a flow for each message. Times begin with
   the first event. CS_SQL, CS_NO_MEMORY: logged. Write errors stay in the stream. *events, *messages: how many were
   written. */
enum cs_status cs_perfetto_write(sqlite3 *db, FILE *stream, int64_t *events, int64_t *messages);
