/* Where a site of the trace is, in words. */
#ifndef CS_CLI_PLACE_H
#define CS_CLI_PLACE_H

#include <sqlite3.h>

#include "base/symbols/resolver.h"

/* Writes the place of a site: as the trace has it if it was resolved when it was made, otherwise looked up in the
   module.
   "?": no such site; "": site 0, which is none. Returns text. */
const char *cs_place_of_site(sqlite3 *db, struct cs_resolver *resolver, sqlite3_int64 site, char *text, size_t size);

#endif
