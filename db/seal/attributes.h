/* Calls that get, set and delete attributes: cells added up by the key of the table. */
#ifndef CS_DB_SEAL_ATTRIBUTES_H
#define CS_DB_SEAL_ATTRIBUTES_H

#include "base/status.h"
#include "db/seal/sealing.h"

/* Reads the cells and writes the table. After the facts. */
enum cs_status cs_attributes_write(struct cs_sealing *sealing);

#endif
