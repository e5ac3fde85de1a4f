/* The calls of the time line: many short ones share a row. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>

#include "db/trace/event_pass.h"
#include "db/trace/event_rows.h"

struct cs_event_timeline;

/* Returns SQLite's code. */
int cs_event_timeline_open(sqlite3 *db, struct cs_pass *pass, struct cs_event_timeline **timeline);
void cs_event_timeline_close(struct cs_event_timeline *timeline);

/* Appends the rows of computed_timeline of the next thread. *more: there was one. Returns SQLite's code. */
int cs_event_timeline_next(struct cs_event_timeline *timeline, struct cs_event_rows *rows, bool *more);
