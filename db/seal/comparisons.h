/* Answers of MPI_Comm_compare and MPI_Group_compare: cells of all threads as rows. */
#ifndef CS_DB_SEAL_COMPARISONS_H
#define CS_DB_SEAL_COMPARISONS_H

#include "db/seal/sealing.h"

enum cs_status cs_comparisons_write(struct cs_sealing *sealing);

#endif
