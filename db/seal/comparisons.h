/* Answers of MPI_Comm_compare and MPI_Group_compare: cells of all threads as rows. */
#pragma once

#include "db/seal/sealing.h"

enum cs_status cs_comparisons_write(struct cs_sealing *sealing);
