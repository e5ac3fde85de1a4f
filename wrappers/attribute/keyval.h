/* Roles of functions that make and free keyvals. */
#pragma once

#include "record/attribute_values.h"
#include "wrappers/call/call.h"

/* Before the call, and always after it: as cs_freeing and cs_freed. */
void cs_freeing_keyval(struct cs_call *call, int keyval);
void cs_freed_keyval(struct cs_call *call, int result);

/* After success. kind: of objects that it is for. Its functions, as addresses, and its extra state are not followed. */
void cs_made_keyval(struct cs_call *call, enum callsign_kind kind, uint64_t copy, uint64_t delete, int keyval,
                    int64_t extra_state);

/* The same of any language. integer_bytes: of the integers that Fortran has for attributes; 0: C has pointers. */
void cs_made_keyval_by(struct cs_call *call, enum callsign_kind kind, uint64_t copy, uint64_t delete, int keyval,
                       int64_t extra_state, size_t integer_bytes, enum cs_language language);
