/* Names that the program sets. */
#pragma once

#include "wrappers/call/call.h"

/* Role: MPI_*_set_name returned. name: as C has it, or NULL; of a call that failed it is not looked at. */
void cs_named(struct cs_call *call, enum callsign_kind kind, uint64_t handle, const char *name, int result);
