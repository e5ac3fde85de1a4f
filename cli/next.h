/* The last lines of a report: what to ask next, ready to paste. */
#ifndef CS_CLI_NEXT_H
#define CS_CLI_NEXT_H

#include <sqlite3.h>
#include <stdio.h>

/* Prints the suggestion that fits this run; run is its path. */
void cs_next_print(sqlite3 *db, const char *run, FILE *stream);

#endif
