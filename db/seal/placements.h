/* Rows of where threads ran, from the cells that count it: thread_processor, and of placement the moves and what
   MPI_Get_processor_name answered. */
#pragma once

#include "db/seal/sealing.h"

enum cs_status cs_placements_write(struct cs_sealing *sealing);
