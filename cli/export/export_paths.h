/* Call paths for other tools: as folded stacks, and for KCachegrind. */
#pragma once

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

/* Writes a line for each call path: "main;solve;MPI_Send 1234", in nanoseconds of all ranks. *paths: number of lines.
   CS_SQL, logged; write errors stay in the stream (ferror). */
enum cs_status cs_folded_write(sqlite3 *db, FILE *stream, int64_t *paths);

/* Writes the same times, calls and bytes in the callgrind format: the cost of each function and of each call between
   two functions. *paths: number of call sites with their MPI functions. CS_SQL or CS_NO_MEMORY, logged. */
enum cs_status cs_callgrind_write(sqlite3 *db, FILE *stream, int64_t *paths);
