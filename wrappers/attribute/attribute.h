/* What C and Fortran have in common in the attribute traffic of the program. */
#pragma once

#include "record/attribute.h"
#include "wrappers/call/call.h"

/* Notes the predefined keyvals with their names, once MPI is initialised. */
void cs_attributes_predefined(void);

/* A keyval of Fortran as C has it: MPICH has two numbers for each predefined one, and Fortran's is the next. */
int cs_attribute_keyval(enum callsign_kind kind, int fortran_keyval);

/* Roles after success: value and found are the MPI function's own arguments. */
void cs_got_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, const void *value,
                      const int *found);
void cs_set_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, const void *value);
void cs_deleted_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval);
void cs_made_keyval(struct cs_call *call, enum callsign_kind kind, int keyval); /* kind: of objects that it is for */

/* What the call did, without the value. */
struct cs_attribute cs_attribute_of(struct cs_call *call, enum cs_attribute_operation operation,
                                    enum callsign_kind kind, uint64_t handle, int keyval, bool found);
