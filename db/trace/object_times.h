/* The rows of the view object_times, computed without SQL: grouping the times of all ranks takes SQLite several times
   as long. */
#pragma once

#include <sqlite3.h>

/* Adds all rows of temp.object_times of a merged run to `table`, which has its columns. An SQLite error code. Needs
   rows in rank_time if there are calls. */
int cs_object_times_fill(sqlite3 *db, const char *table);
