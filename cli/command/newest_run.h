/* The run that a command reads if the user names none: the newest one in the current folder. */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct cs_newest_runs {
    size_t count;               /* runs that were found, at most 2 */
    char name[2][NAME_MAX + 1]; /* the newest first */
};

/* Finds the two newest run folders (*.callsign) of the current folder. A run is as old as its first file; the first by
   name of those that are equally old. Returns false if the folder cannot be read; that was logged. */
bool cs_newest_runs_find(const char *command, struct cs_newest_runs *runs);

/* Finds the newest run and names it on stderr, unless quiet. Returns NULL if there is none; that was logged. The text
   stays valid until the next call. */
const char *cs_newest_run(const char *command, bool quiet);
