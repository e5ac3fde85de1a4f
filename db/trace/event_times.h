/* Time of the first thread of each rank in recorded calls. A call within another one counts once. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>

#include "db/trace/event_pass.h"
#include "db/trace/event_rows.h"

/* Appends the rows of computed_call_times. Returns SQLite's code. */
int cs_event_call_times(sqlite3 *db, struct cs_pass *pass, struct cs_event_rows *rows);

struct cs_event_path;

/* Begins the rows of computed_path. Returns SQLite's code. */
int cs_event_path_open(sqlite3 *db, struct cs_pass *pass, struct cs_event_path **path);
void cs_event_path_close(struct cs_event_path *path);

/* Makes the next row. *ended: there is none. Returns SQLite's code. */
int cs_event_path_next(struct cs_event_path *path, bool *ended);

/* Gives SQLite a column of the row. */
void cs_event_path_give(const struct cs_event_path *path, int column, sqlite3_context *result);
