/* How a name that says the lineage is put together: ancestors, verb, number, part; see wrappers/object/lineage.h. */
#pragma once

#include "creations.h"
#include "wrappers/object/birth.h"

enum { CS_PART_BYTES = 32, CS_DERIVED_BYTES = 120 }; /* of a part, and of all: fits MPICH's 127 */

/* ancestors "": none. Of a long line of them the last ones stay. */
void cs_derive(const char *ancestors, enum cs_verb verb, uint32_t number, const char *part, char name[CS_NAME_BYTES]);

/* The same from the name of the parent; NULL: none. */
void cs_derive_from(const struct callsign_record *parent, enum cs_verb verb, uint32_t number, const char *part,
                    char name[CS_NAME_BYTES]);
