/* The row of the process: who it was, and how it ended. */
#pragma once

#include "base/status.h"
#include "db/seal/sealing.h"

/* Last: what it says is known only when all else was read. */
enum cs_status cs_process_write(struct cs_sealing *sealing, enum cs_outcome outcome);
