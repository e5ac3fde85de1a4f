/* Collective calls of recorded events: who entered last, and who waited for whom. */
#pragma once

#include <sqlite3.h>

#include "db/trace/event_pass.h"
#include "db/trace/event_rows.h"
#include "db/trace/partners.h"

struct cs_event_collectives;

/* rows_of_waits: the rows are those of computed_waits, or else of computed_collectives. NULL: out of memory. */
struct cs_event_collectives *cs_event_collectives_create(struct cs_pass *pass, const struct cs_partners *partners,
                                                         bool rows_of_waits, struct cs_event_rows *rows);
void cs_event_collectives_free(struct cs_event_collectives *collectives);

/* Takes an event. Appends the rows of the collective call if all members with events have come. Returns SQLite's
   code. */
int cs_event_collectives_take(struct cs_event_collectives *collectives, const struct cs_pass_thread *thread,
                              const struct cs_pass_event *event);

/* Appends the rows of calls that some members have not come to. */
void cs_event_collectives_end(struct cs_event_collectives *collectives);
