/* The location of a call site in words. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include <sqlite3.h>

#include "base/symbols/resolver.h"

/* Writes the location that calls from a site are charged to, as in the view charged_sites: from the trace if it is
   resolved there, otherwise from the module. "?": no such site; "": site 0, which means none. The connection has the
   functions of cli/command/sql_functions.h. Returns text. */
const char *cs_location_of_site(sqlite3 *db, struct cs_resolver *resolver, sqlite3_int64 site, char *text, size_t size);

/* The same for the innermost frame of the site. */
const char *cs_location_of_frame(sqlite3 *db, struct cs_resolver *resolver, sqlite3_int64 site, char *text,
                                 size_t size);

/* What a report shows in a column of sites: the innermost frame in inner_site, the charged one in all others. */
const char *cs_location_of_column(sqlite3 *db, struct cs_resolver *resolver, const char *column, sqlite3_int64 site,
                                  char *text, size_t size);

/* Writes the function that a site lies in, without the one that it was inlined into; where none is known, the file name
   of its module. "": no such site. Returns text. */
const char *cs_location_function(sqlite3 *db, struct cs_resolver *resolver, sqlite3_int64 site, char *text,
                                 size_t size);

/* Finds the source file of the charged frame of a site, absolute, and its line; from the module, if it is the recorded
   build. build: the folder where the compiler ran, "" for Python. *unchanged_ns: the lines are right if the file was
   not changed since, in ns since 1970: the time of the module, for Python that of the run. Returns false if the file is
   unknown. */
bool cs_location_source(sqlite3 *db, struct cs_resolver *resolver, sqlite3_int64 site, char *path, char *build,
                        size_t size, int *line, int64_t *unchanged_ns);

/* For cs_resolver_on_lost_lines: remembers the file. */
cs_lost_lines_function cs_location_note_lost;

/* True if a file was noted since: cs_location_print_lost says why its lines are missing. */
bool cs_location_is_lost(void);

/* Prints one line for each file noted since the last call. stream NULL: as log messages. */
void cs_location_print_lost(FILE *stream);
