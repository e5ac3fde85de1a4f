/* Conversion journals made by hand, and asking the traces that come of it. */
#pragma once

#include "db/convert/journal_to_trace.h"
#include "tests/support/journal_builder.h"

#define JOURNAL "rank-00000.journal"
#define TRACE   "rank-00000.db"

extern const struct cs_convert_options cs_remove_journal, cs_resolved_journal;

/* Saves the journal as JOURNAL, ends it and converts it into TRACE. */
enum cs_status cs_convert_image(struct cs_built *built, const struct cs_convert_options *options);

/* All rows of a query on TRACE: columns separated by '|', each row ended by '\n'. To be freed with sqlite3_free. Fails
   the test when the query does. */
char *cs_converted_ask(const char *sql);

/* Fails the test when the answer is another. */
void cs_converted_assert(const char *sql, const char *expected);
