#pragma once

#include "wrappers/attribute/keyval.h"

/* Attributes are integers of `bytes` bytes; predefined ones are the values themselves and not pointers to them. */
void cs_got_attribute_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval,
                              const void *value, size_t bytes, const void *found, int result);
void cs_set_attribute_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval,
                              const void *value, size_t bytes, int result);
void cs_deleted_attribute_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval,
                                  int result);
void cs_made_keyval_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t copy, uint64_t delete, int keyval,
                            const void *extra_state, size_t bytes, enum cs_language language);
void cs_freeing_keyval_fortran(struct cs_call *call, int keyval);
