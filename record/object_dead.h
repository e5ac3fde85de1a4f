/* Records of objects that have died: they keep their content until 4096 others have died, then new objects get
   them. For record/object.c alone, under its lock. */
#pragma once

#include <stdint.h>

#include "callsign/debug.h"

/* The object died. */
void cs_dead_add(struct callsign_record *record);

/* The number of a record for a new object: that of the oldest dead, which is forgotten, or one never used.
   CS_TABLE_NONE without memory. */
uint32_t cs_dead_take(void);

/* The last that had this handle, or NULL. Looks at them all. */
const struct callsign_record *cs_dead_find(uint32_t kind, uint64_t handle);
