/* Deadlocks as findings. No view can prove one: cli/hang_find.c does, from rows of the run. */
#pragma once

#include <sqlite3.h>

#include "base/status.h"

/* One row for each deadlock, with the columns of the view findings. ?1: what cs_deadlocks_find gave. */
#define CS_DEADLOCKS_SQL                                                                                               \
    "SELECT 'deadlock' AS kind, 1 AS severity, json_extract(value, '$.ranks') AS ranks, NULL AS rank,\n"               \
    "       NULL AS other_rank, json_extract(value, '$.communicator') AS communicator,\n"                              \
    "       json_extract(value, '$.uid') AS communicator_uid, json_extract(value, '$.function') AS function,\n"        \
    "       NULL AS site, NULL AS subject, NULL AS answer, json_extract(value, '$.seconds') AS seconds,\n"             \
    "       NULL AS percent, NULL AS bytes, NULL AS messages, json_extract(value, '$.count') AS count,\n"              \
    "       NULL AS least, NULL AS median, NULL AS most\n"                                                             \
    "FROM json_each(?1)"

/* Finds the proven deadlocks of ranks that still run. *found: a JSON array for CS_DEADLOCKS_SQL, to be freed with
   sqlite3_free; NULL: there is none. If the run may have one, looks at its processes for a second. CS_SQL (logged),
   CS_NO_MEMORY. */
enum cs_status cs_deadlocks_find(sqlite3 *db, const char *run, char **found);
