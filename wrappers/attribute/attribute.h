/* Attribute traffic of the program: its roles, and what C and Fortran have in common. */
#pragma once

#include "record/attribute_values.h"
#include "wrappers/call/call.h"

/* Notes the predefined keyvals with their names, and what values of theirs are called, once MPI is initialised. */
void cs_attributes_predefined(void);

/* Asks MPI_COMM_WORLD for the predefined attributes that the MPI knows by itself: what it offers. */
void cs_attributes_survey(void);

/* A keyval of Fortran as C has it: MPICH has two numbers for each predefined one, and Fortran's is the next. */
int cs_attribute_keyval(enum callsign_kind kind, int fortran_keyval);

/* What the call did, without the value, or that it failed. False: it is not counted, or it failed and that is told. */
bool cs_attribute_of(struct cs_call *call, enum cs_attribute_operation operation, enum callsign_kind kind,
                     uint64_t handle, int keyval, int result, struct cs_attribute *attribute);

/* The program has set an attribute. integer_bytes: of a value of Fortran; 0: of C. */
void cs_attribute_held(const struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval,
                       size_t integer_bytes);

/* ---- roles: always ---- */

/* value and found are the MPI function's own arguments. */
void cs_got_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, const void *value,
                      const int *found, int result);
void cs_set_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, const void *value,
                      int result);
void cs_deleted_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, int result);
