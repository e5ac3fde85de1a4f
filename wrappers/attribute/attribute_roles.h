/* Attribute traffic of the program: its roles, and what C and Fortran have in common. */
#pragma once

#include <stdatomic.h>

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

/* ---- copies ---- */

/* Role, after success. Handles as CS_KEY; the kinds are the same. */
void cs_duplicated(struct cs_call *call, enum callsign_kind kind, uint64_t original, uint64_t duplicate);
static inline void cs_copied_attributes(struct cs_call *call, enum callsign_kind kind, uint64_t original,
                                        enum callsign_kind duplicate_kind, uint64_t duplicate)
{
    (void)duplicate_kind;
    if (__builtin_expect(atomic_load_explicit(&cs_presence_any, memory_order_relaxed), 0))
        cs_duplicated(call, kind, original, duplicate);
}

/* The duplicate of this number, of MPI_Comm_idup at this call site, is complete and may be asked. */
void cs_duplicate_ready(struct cs_call *call, uint32_t id, uint64_t site);

/* ---- keyvals ---- */

/* Before the call, and always after it: as cs_begin_free and cs_end_free. */
void cs_begin_free_keyval(struct cs_call *call, int keyval);
void cs_end_free_keyval(struct cs_call *call, int result);

/* After success. kind: of objects that it is for. Its functions, as addresses, and its extra state are not followed. */
void cs_made_keyval(struct cs_call *call, enum callsign_kind kind, uint64_t copy, uint64_t delete, int keyval,
                    int64_t extra_state);

/* The same of any language. integer_bytes: of the integers that Fortran has for attributes; 0: C has pointers. */
void cs_made_keyval_by(struct cs_call *call, enum callsign_kind kind, uint64_t copy, uint64_t delete, int keyval,
                       int64_t extra_state, size_t integer_bytes, enum cs_language language);
