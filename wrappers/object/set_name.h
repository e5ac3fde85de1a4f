/* Names that the program sets. */
#ifndef CS_WRAPPERS_OBJECT_SET_NAME_H
#define CS_WRAPPERS_OBJECT_SET_NAME_H

#include "wrappers/call/call.h"

/* Role: MPI_*_set_name succeeded. name: as C has it, or NULL. */
void cs_named(struct cs_call *call, enum callsign_kind kind, uint64_t handle, const char *name);

#endif
