/* The figures of several runs in one database, and what changed between two sides of them. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "cli/text/phrase.h"

enum cs_side { CS_SIDE_BASE, CS_SIDE_NEW };

/* A database in memory with the empty tables run, figure and rule; see the comments in compare_figures.c. NULL: logged.
   sqlite3_close it. */
sqlite3 *cs_figures_open(void);

/* Reads a run and adds its figures. region: only those of MPI calls in this region of the program; NULL: all. False:
   logged. */
bool cs_figures_add(sqlite3 *figures, const char *path, enum cs_side side, const char *region);

/* The metrics that regions have, as a list in SQL. */
#define CS_FIGURES_OF_REGIONS "('time', 'wait', 'calls', 'bytes')"

/* After all runs and rules were added: makes the table change (db/trace/reports/compare_changes.sql). False: logged. */
bool cs_figures_compare(sqlite3 *figures);

/* Appends a value of a metric with its unit: "1.25 s", "4.00 KiB", "12". */
void cs_figures_add_value(struct cs_phrase *phrase, const char *metric, double value);
