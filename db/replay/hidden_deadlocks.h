/* Deadlocks that the MPI's buffers hide: the calls of a run, in the order of each thread, with each standard send
   waiting for its receive. If ranks then wait for each other in a circle, the run ended only because the MPI kept
   messages that nobody had asked for yet. Times do not matter. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A rank in a circle, and the call that it waits in. */
struct cs_hidden_member {
    int64_t rank, function, object, site;
    bool sends; /* it waits for the receive of its standard send */
};

typedef int cs_hidden_function(void *context, const struct cs_hidden_member *member, size_t members);

/* Calls `each` for every circle, once for the same sends. Finds none unless all events of all ranks are recorded.
   is_buffered: whether a function's sends need no receiver. Returns SQLite's code, or that of `each`. */
int cs_hidden_deadlocks_find(sqlite3 *db, bool (*is_buffered)(int64_t function), cs_hidden_function *each,
                             void *context);
