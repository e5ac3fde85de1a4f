/* Adds up the tags of all ranks without SQL, which would sort them. */
#pragma once

#include <sqlite3.h>

/* Fills this temporary table with the rows of the view summed_tags. Returns SQLite's code; SQLITE_MISMATCH: SQL must do
   it, and the table is empty. */
int cs_summed_tags_fill(sqlite3 *db, const char *table);
