/* Deadlocks that the MPI's buffers hide: the calls of a run, in the order of each thread, with each standard send
   waiting for its receive. If ranks then wait for each other in a circle, the run ended only because the MPI kept
   messages that nobody had asked for yet. Times do not matter. */
#pragma once

#include <sqlite3.h>

#include "db/trace/event_pass.h"
#include "db/trace/event_rows.h"

/* Appends the rows of computed_hidden_deadlocks: the members of every circle, once for the same sends. There are none
   unless all events of all ranks are recorded, and if they are too many. Returns SQLite's code. */
int cs_event_deadlocks(sqlite3 *db, struct cs_pass *pass, struct cs_event_rows *rows);
