/* What the facts say of each object, gathered so that every row is written once and in the order of its table. */
#pragma once

#include "base/status.h"
#include "db/seal/sealing.h"
#include "journal/format.h"

struct cs_objects;

/* NULL: out of memory. */
struct cs_objects *cs_objects_create(void);

void cs_objects_destroy(struct cs_objects *objects);

/* Writes all their rows: object, naming, communicator, datatype, window. After the facts, and once. */
enum cs_status cs_objects_write(struct cs_sealing *sealing);
