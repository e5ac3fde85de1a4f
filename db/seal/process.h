/* The process: who it was, what its threads did last, which requests were not complete, and how it ended. */
#pragma once

#include "base/status.h"
#include "db/seal/sealing.h"

/* Reads the states of threads, finds the last instant that the recording knows of, writes the table, and sets what the
   row of the process says of all threads. After the facts. */
enum cs_status cs_threads_write(struct cs_sealing *sealing);

/* Writes the requests that were not complete. Only if the process did not end as it should: else they mean nothing. */
enum cs_status cs_requests_write(struct cs_sealing *sealing);

/* Writes the row of the process. Last: what it says is known only when all else was read. */
enum cs_status cs_process_write(struct cs_sealing *sealing, enum cs_outcome outcome);
