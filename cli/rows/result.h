/* Prints the rows of a statement as table, CSV (RFC 4180) or JSON. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"
#include "base/symbols/resolver.h"

enum cs_format { CS_FORMAT_TABLE, CS_FORMAT_CSV, CS_FORMAT_JSON };

/* Finds the format with that name. Returns false if there is none; that was logged. */
bool cs_format_parse(const char *name, enum cs_format *format);

/* The column of this row as text, as in CSV; *owned is to be freed. NULL: SQL NULL, or out of memory. */
const char *cs_result_value(sqlite3_stmt *statement, int column, size_t *length, char **owned);

/* Steps through the statement and prints every row. NULL is an empty field in CSV (an empty text is "") and null in
   JSON. BLOBs are hexadecimal. Integers are exact: in JSON those beyond 2^53 - 1 are strings, because most readers
   would round them. Terminal control characters are made visible. With a resolver, CSV and JSON add a column of
   locations (location, x_location) for each column of call sites (site, x_site). Returns CS_SQL if the statement
   failed (the connection has the message), or CS_NO_MEMORY. */
enum cs_status cs_result_print(sqlite3_stmt *statement, FILE *stream, enum cs_format format,
                               struct cs_resolver *resolver);

/* Prints the rows as a JSON array without newline, as part of a larger JSON text. sparse: without NULLs. */
enum cs_status cs_result_print_json(sqlite3_stmt *statement, FILE *stream, struct cs_resolver *resolver, bool sparse);

/* Likewise, as {"columns": [names], "rows": [[values]]}: the same with each name once. */
enum cs_status cs_result_print_json_lists(sqlite3_stmt *statement, FILE *stream, struct cs_resolver *resolver);

/* A text in JSON, with its quotes. */
void cs_result_print_json_text(FILE *stream, const char *text);
