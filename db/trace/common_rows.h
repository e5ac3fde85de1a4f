/* Rows that the ranks of a node have in common: the file of a node has each distinct one once. */
#pragma once

#include <sqlite3.h>
#include <stdint.h>

#include "db/trace/trace_writer.h"

struct cs_common_rows;

/* The common rows of a new trace, whose tables cs_schema_add_node_tables made. NULL: out of memory. */
struct cs_common_rows *cs_common_rows_create(sqlite3 *db);
void cs_common_rows_destroy(struct cs_common_rows *common);

/* The number of the common row of `value`, the values of a row in a table of cs_common_tables. Writes the common row if
   no row had it before. An SQLite error code. */
int cs_common_rows_find(struct cs_common_rows *common, enum cs_row row, const struct cs_value *value, int64_t *number);

/* Binds a value as cs_trace_insert describes. An SQLite error code. */
int cs_value_bind(sqlite3_stmt *statement, int column, const struct cs_value *value);
