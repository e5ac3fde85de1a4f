/* What can be asked of a run: its views, tables and reports, with one line about each. */
#pragma once

#include <sqlite3.h>
#include <stdio.h>

/* Prints the list; run is the path for the examples. Returns an exit code. */
int cs_catalog_print(sqlite3 *db, const char *run, FILE *stream);
