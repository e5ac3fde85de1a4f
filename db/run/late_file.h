/* Calls after MPI_Finalize: a file of the run folder (record/call/late_calls.h), and rows after_finalize of the table
   meta in the run's database. */
#pragma once

#include <sqlite3.h>
#include <stdbool.h>

/* The text of the file; free it by free(). NULL: there is none, or it cannot be read. */
char *cs_late_file_read(const char *folder);

/* Adds the rows. Lines that are no calls of a rank of the database are left out. The text is changed. */
bool cs_late_file_insert(sqlite3 *db, char *text);
