/* Late ranks: those with more code between calls than the median rank. What would the run gain if one of them was as
   fast? */
#pragma once

#include <stddef.h>

#include "db/replay/replay.h"
#include "db/trace/event_tables.h"

enum { CS_LATE_RANKS_MOST = 3 };

/* Writes a change for each of the latest ranks, the latest first: it takes the time of the median rank. Returns their
   number. */
size_t cs_late_ranks_find(const struct cs_replay *replay, struct cs_change change[CS_LATE_RANKS_MOST]);

/* The rows of computed_gains. There are none if the replay does not explain the run. */
extern const struct cs_event_finder cs_gains;
