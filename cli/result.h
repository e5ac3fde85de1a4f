/* The rows of a statement as table, CSV (RFC 4180) or JSON. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

enum cs_format { CS_FORMAT_TABLE, CS_FORMAT_CSV, CS_FORMAT_JSON };

/* The format of that name; false: there is none, logged. */
bool cs_format_parse(const char *name, enum cs_format *format);

/* Steps through the statement and prints every row. Integers are printed exactly; NULL is an empty field in CSV (an
   empty text is
   ""), null in JSON; BLOBs are hexadecimal. On a terminal, control characters in CSV are made visible too. CS_SQL: the
   statement failed (the message is in the connection); CS_NO_MEMORY. */
enum cs_status cs_result_print(sqlite3_stmt *statement, FILE *stream, enum cs_format format);
