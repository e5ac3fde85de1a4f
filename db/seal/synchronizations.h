/* Rows of the table synchronization: where synchronizing collectives were entered and left. */
#pragma once

#include "db/seal/sealing.h"

/* Of a fact. */
enum cs_status cs_synchronizations_load(struct cs_sealing *sealing, const struct cs_fact *fact);

/* Of the cells, which have the last calls. */
enum cs_status cs_synchronizations_write(struct cs_sealing *sealing);
