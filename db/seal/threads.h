/* What the threads that called MPI did last, and the last instant that the recording knows of. */
#pragma once

#include "base/status.h"
#include "db/seal/sealing.h"

/* Reads the states of threads, writes the table, and sets what the row of the process says of them all. After the
 * facts.
 */
enum cs_status cs_threads_write(struct cs_sealing *sealing);
