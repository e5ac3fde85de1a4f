/* What the objects are called that nobody made. */
#pragma once

#include <stdint.h>

#include "callsign/debug.h"

/* "": it has no name. */
const char *cs_predefined_name(enum callsign_kind kind, uint64_t handle);

/* MPI 4.1 and later have names for null handles. NULL: it is not null, or the MPI is older. */
const char *cs_name_of_null(enum callsign_kind kind, uint64_t handle);
