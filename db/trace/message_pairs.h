/* Joins the sends and the receives of recorded events without SQL, which would sort both and look up each call. */
#pragma once

#include <sqlite3.h>

/* Fills this temporary table with the rows of the view message_pairs. Returns SQLite's code; SQLITE_MISMATCH: SQL must
   do it, and the table is empty. Memory is bounded: threads are read side by side in slices of time, and only messages
   whose other side is not there yet are kept. */
int cs_message_pairs_fill(sqlite3 *db, const char *table);
