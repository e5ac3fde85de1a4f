/* Threads whose calls are not among the events. */
#pragma once

#include <sqlite3.h>

#include "base/status.h"
#include "cli/text/phrase.h"

/* Appends a sentence that says how many threads of the ranks with events have none; nothing if all have. */
enum cs_status cs_threads_without_events(sqlite3 *db, struct cs_phrase *line);
