/* The table `profile` of a run whose merged file leaves its rows in the files of ranks. A virtual table of the
   connection reads those files in turn, so that a question gets all rows. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

enum { CS_PROFILE_RANKS_MOST = 512 }; /* the merged file of more ranks has no profile rows */

/* Whether the open merged file leaves the rows of ranks in their files. Those of processes without rank are in it. */
bool cs_rank_profile_is_left(sqlite3 *db);

/* Adds temp.profile, and all views temporarily unless they are: they read it. The paths stay the caller's, as long as
   the connection is open. An SQLite error code. */
int cs_rank_profile_add(sqlite3 *db, char *const *path, size_t count, bool has_views);

/* Whether this thread reads the file of a rank just now: damage is then in that file. */
bool cs_rank_profile_is_reading(void);
