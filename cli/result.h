/* The rows of a statement as table, CSV (RFC 4180) or JSON. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "base/symbols/resolver.h"

enum cs_format { CS_FORMAT_TABLE, CS_FORMAT_CSV, CS_FORMAT_JSON };

/* The format of that name; false: there is none, logged. */
bool cs_format_parse(const char *name, enum cs_format *format);

/* Steps through the statement and prints every row. NULL is an empty field in CSV (an empty text is ""), null in JSON;
   BLOBs are hexadecimal. Integers are exact: in JSON those beyond 2^53 - 1, which most readers would round, are
   strings. On a terminal, characters that could drive it are made visible. With a resolver, CSV and JSON have beside
   each column of call sites (site, x_site) one with their locations in words (location, x_location); NULL: without.
   CS_SQL: the statement failed (the message is in the connection); CS_NO_MEMORY. */
enum cs_status cs_result_print(sqlite3_stmt *statement, FILE *stream, enum cs_format format,
                               struct cs_resolver *resolver);

/* The rows as a JSON array, likewise, without an end of line: a part of a larger JSON text. */
enum cs_status cs_result_print_json(sqlite3_stmt *statement, FILE *stream, struct cs_resolver *resolver);
