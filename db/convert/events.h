/* The tables event, event_message, event_completion and event_window: from the rings of the threads. */
#pragma once

#include "base/status.h"
#include "db/convert/conversion.h"

/* Writes the events. most: so many for each thread, the last ones; the numbers of messages are found from all. Call it
   after the facts. */
enum cs_status cs_events_write(struct cs_conversion *conversion, uint64_t most);
