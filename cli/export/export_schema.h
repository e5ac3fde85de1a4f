/* Files for readers of exported CSV files: names of files and columns, types, and how to load them. */
#pragma once

#include <stddef.h>
#include <stdio.h>

#include "cli/export/export_csv.h"

/* Gives columns of views that have no value a type: that of columns of this name in other tables and views, or of the
   last word of the name; a text otherwise. */
void cs_export_complete_types(struct cs_export_table *tables, size_t count);

/* schema.json: {"format": "callsign-csv", "tables": [{"name", "file", "rows", "columns": [{"name", "type"}]}]}; types
   are int64, float64 and string. */
void cs_export_write_json(FILE *stream, const struct cs_export_table *tables, size_t count);

/* load.sql: makes the tables in DuckDB, and the functions of callsign query. */
void cs_export_write_duckdb(FILE *stream, const struct cs_export_table *tables, size_t count);
