/* Writes the events of a run as a trace for Perfetto (ui.perfetto.dev), in one file or several. */
#pragma once

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

/* The calls that begin in this time go into one file; to_ns is behind them. */
struct cs_perfetto_part {
    int64_t from_ns, to_ns;
};

struct cs_perfetto_parts {
    int64_t zero_ns; /* the first event: instant 0 of all files */
    struct cs_perfetto_part *part;
    size_t count, room;
};

/* Divides the time of the events so that a file has about this size at most, and finds the events of each part once for
   the connection. The caller frees parts->part. CS_SQL, CS_NO_MEMORY: logged. */
enum cs_status cs_perfetto_split(sqlite3 *db, uint64_t bytes, struct cs_perfetto_parts *parts);

/* A process for each rank, a track for each thread, a slice for each call, a flow for each message with both ends in
   this part, and counters. CS_SQL, CS_NO_MEMORY: logged. Write errors stay in the stream. *events, *messages: raised
   by what was written. Memory does not depend on the number of events. */
enum cs_status cs_perfetto_write(sqlite3 *db, FILE *stream, const struct cs_perfetto_parts *parts, size_t number,
                                 int64_t *events, int64_t *messages);
