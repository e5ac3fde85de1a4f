/* Deadlocks as findings. No view can prove one: cli/deadlock/hang_find.c does, from rows of the run. */
#pragma once

#include <sqlite3.h>

#include "base/status.h"

/* Finds the proven deadlocks of ranks that still run, or ran when the job was ended from outside; if all finalized,
   those that the MPI's buffers hid, as far as all events are recorded. *found: a JSON array for cs_findings_of_json, to
   be freed with sqlite3_free; NULL: there is none. If the run may have one, looks at its processes for a second. CS_SQL
   (logged), CS_NO_MEMORY. */
enum cs_status cs_deadlocks_find(sqlite3 *db, const char *run, char **found);
