/* The last lines of the overview: a suitable next command, ready to paste. */
#pragma once

#include <sqlite3.h>
#include <stdio.h>

#include "cli/text.h"

/* Prints the suggestion for this run; run is its path. */
void cs_suggestion_print(sqlite3 *db, const char *run, const struct cs_terminal *terminal, FILE *stream);
