#pragma once

#include "wrappers/call/call.h"

/* Attributes are integers of `bytes` bytes; predefined ones are the values themselves and not pointers to them. */
void cs_got_attribute_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval,
                              const void *value, size_t bytes, const void *found);
void cs_set_attribute_fortran(struct cs_call *call, enum callsign_kind kind, uint64_t handle, int keyval,
                              const void *value, size_t bytes);
