/* Messages of recorded events: joins sends to receives, and finds out which calls waited for them. */
#pragma once

#include <sqlite3.h>

#include "db/trace/event_pass.h"
#include "db/trace/event_rows.h"
#include "db/trace/partners.h"

struct cs_event_messages;

/* rows_of_waits: the rows are those of computed_waits, or else of computed_message_pairs. NULL: out of memory. */
struct cs_event_messages *cs_event_messages_create(sqlite3 *db, struct cs_pass *pass,
                                                   const struct cs_partners *partners, bool rows_of_waits,
                                                   struct cs_event_rows *rows);
void cs_event_messages_free(struct cs_event_messages *messages);

/* Take the begin and the end of an event, in order of time. Return SQLite's code. */
int cs_event_messages_begin(struct cs_event_messages *messages, const struct cs_pass_thread *thread,
                            const struct cs_pass_event *event);
int cs_event_messages_end(struct cs_event_messages *messages, const struct cs_pass_thread *thread,
                          const struct cs_pass_event *event);

/* Appends the rows of calls whose messages have no other side. */
void cs_event_messages_finish(struct cs_event_messages *messages);
