/* Deadlocks that the MPI's buffers hide: the calls of a run, in the order of each thread, with each standard send
   waiting for its receive. If ranks then wait for each other in a circle, the run ended only because the MPI kept
   messages that nobody had asked for yet. Times do not matter: a thread that has to wait for another one comes later to
   its calls, which are kept until then. */
#pragma once

#include <sqlite3.h>

#include "db/trace/event_pass.h"
#include "db/trace/event_rows.h"
#include "db/trace/partners.h"

struct cs_event_deadlocks;

/* rows: gets those of computed_hidden_deadlocks: the members of every circle, once for the same sends. There are none
   unless all events of all ranks are recorded, and if they are too many. NULL: out of memory, or the trace cannot be
   read. */
struct cs_event_deadlocks *cs_event_deadlocks_create(sqlite3 *db, struct cs_pass *pass,
                                                     const struct cs_partners *partners, struct cs_event_rows *rows);
void cs_event_deadlocks_free(struct cs_event_deadlocks *hidden);

/* Takes the next call of a thread. Returns SQLite's code. */
int cs_event_deadlocks_take(struct cs_event_deadlocks *hidden, const struct cs_pass_thread *thread,
                            const struct cs_pass_event *event);

/* There are no more calls. Returns SQLite's code. */
int cs_event_deadlocks_finish(struct cs_event_deadlocks *hidden);
