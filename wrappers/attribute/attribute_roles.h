/* Roles for the program's use of attributes, and helpers that C and Fortran share. */
#pragma once

#include <stdatomic.h>

#include "record/object/attribute_values.h"
#include "wrappers/call/call.h"

/* Records the predefined keyvals and the names of their values. Call it once MPI is initialised. */
void cs_attributes_predefined(void);

/* Queries the predefined attributes of MPI_COMM_WORLD that the MPI can answer alone. */
void cs_attributes_survey(void);

/* Converts a Fortran keyval to C. MPICH has two numbers for each predefined keyval; Fortran's is one higher. */
int cs_attribute_keyval(enum callsign_kind kind, int fortran_keyval);

/* Fills in `attribute` without the value. Returns false if the call is not counted, or if it failed and the failure
   is already recorded. */
bool cs_attribute_of(struct cs_call *call, enum cs_attribute_operation operation, enum callsign_kind kind,
                     uint64_t handle, int keyval, int result, struct cs_attribute *attribute);

/* The program has set an attribute. integer_bytes: size of a Fortran value; 0: the value is from C. */
void cs_attribute_held(const struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval,
                       size_t integer_bytes);

/* ---- roles: always ---- */

/* value and found are the arguments of the MPI function. */
void cs_got_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, const void *value,
                      const int *found, int result);
void cs_set_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, const void *value,
                      int result);
void cs_deleted_attribute(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval, int result);

/* ---- copies ---- */

/* Role, after success. Handles are CS_KEY; both have the same kind. */
void cs_duplicated(struct cs_call *call, enum callsign_kind kind, uint64_t original, uint64_t duplicate);
static inline void cs_copied_attributes(struct cs_call *call, enum callsign_kind kind, uint64_t original,
                                        enum callsign_kind duplicate_kind, uint64_t duplicate)
{
    (void)duplicate_kind;
    if (__builtin_expect(atomic_load_explicit(&cs_presence_any, memory_order_relaxed), 0))
        cs_duplicated(call, kind, original, duplicate);
}

/* The duplicate with this id, made by MPI_Comm_idup at this call site, is complete and may be queried. */
void cs_duplicate_ready(struct cs_call *call, uint32_t id, uint64_t site);

/* ---- keyvals ---- */

/* Before the call, and always after it. Like cs_begin_free and cs_end_free. */
void cs_begin_free_keyval(struct cs_call *call, int keyval);
void cs_end_free_keyval(struct cs_call *call, int result);

/* Role, after success. kind: kind of object for the keyval. copy and delete are addresses. The extra state is not
   dereferenced. */
void cs_made_keyval(struct cs_call *call, enum callsign_kind kind, uint64_t copy, uint64_t delete, int keyval,
                    int64_t extra_state);

/* cs_made_keyval for any language. integer_bytes: size of Fortran's integers for attributes; 0: C, which has
   pointers. */
void cs_made_keyval_by(struct cs_call *call, enum callsign_kind kind, uint64_t copy, uint64_t delete, int keyval,
                       int64_t extra_state, size_t integer_bytes, enum cs_language language);
