/* Calls that get, set and delete attributes: cells added up by the key of the table. */
#pragma once

#include "base/status.h"
#include "db/seal/sealing.h"

/* Reads the cells and writes the table. After the facts. */
enum cs_status cs_attributes_write(struct cs_sealing *sealing);
