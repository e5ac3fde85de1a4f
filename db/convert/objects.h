/* Gathers the facts about each object, so that each row is written once and in the order of its table. */
#pragma once

#include "base/status.h"
#include "db/convert/conversion.h"
#include "journal/format.h"

struct cs_objects;

/* NULL: out of memory. */
struct cs_objects *cs_objects_create(void);

void cs_objects_destroy(struct cs_objects *objects);

/* Writes all rows of the tables object, naming, communicator, datatype and window. Call it once, after the facts. */
enum cs_status cs_objects_write(struct cs_conversion *conversion);
