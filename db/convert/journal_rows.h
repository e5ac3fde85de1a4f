/* Internal to the conversion: the rows of one journal, in a trace of its own or in that of its node. */
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "db/convert/conversion.h"

/* If the header says running or conversion, the outcome depends on whether the writer lives. self: this process is the
   writer, and only the trace is missing from MPI_Finalize. */
enum cs_outcome cs_journal_rows_outcome(const struct cs_journal_header *header, bool self, bool alive);

/* Writes all rows of the journal; the caller has set reader, rows and shared. Frees what it makes. */
enum cs_status cs_journal_rows_write(struct cs_conversion *conversion, enum cs_outcome outcome);

/* Calls write while SIGXFSZ is blocked: a write past RLIMIT_FSIZE would otherwise kill the program, and now fails with
   EFBIG. A signal that was pending before is not consumed. */
enum cs_status cs_journal_rows_guard(enum cs_status (*write)(void *context), void *context);

/* Removes a journal that was converted. */
void cs_journal_rows_remove(const char *path);
