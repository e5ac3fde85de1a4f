/* What the events of each rank cover, and how long they were in MPI calls: the rows of computed_event_ranges. */
#pragma once

#include <sqlite3.h>

#include "db/trace/event_rows.h"
#include "db/trace/partners.h"

struct cs_event_ranges;

/* pass: whose calls are taken; NULL: they are read. NULL: out of memory. */
struct cs_event_ranges *cs_event_ranges_create(const struct cs_pass *pass, const struct cs_partners *partners);
void cs_event_ranges_free(struct cs_event_ranges *ranges);

/* Takes a call of a thread. */
void cs_event_ranges_take(struct cs_event_ranges *ranges, const struct cs_pass_thread *thread,
                          const struct cs_pass_event *event);

/* Takes all calls in the trace; of processes without rank, which no pass has: only theirs. Returns SQLite's code. */
int cs_event_ranges_read(struct cs_event_ranges *ranges, sqlite3 *db, bool without_rank);

/* Appends the rows. */
void cs_event_ranges_write(struct cs_event_ranges *ranges, struct cs_event_rows *rows);
