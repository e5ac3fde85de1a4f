/* Waits, added up by who waited where for whom: so many rows depend on the program, not on its number of events. */
#pragma once

#include <stdbool.h>

#include "db/trace/event_rows.h"

struct cs_event_wait_sums;

/* Adds a row of computed_waits; *sums NULL: the first one. Returns false without memory. */
bool cs_event_wait_sums_add(struct cs_event_wait_sums **sums, const struct cs_event_row *wait);

/* Appends the rows of computed_wait_sums. */
void cs_event_wait_sums_write(const struct cs_event_wait_sums *sums, struct cs_event_rows *rows);

void cs_event_wait_sums_free(struct cs_event_wait_sums *sums);
