/* What libcallsign-resolve.so offers to the flavour that opens it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/symbols/resolver.h"

/* Function, file and line of the call before the return address `offset`, in the module's own numbering. build_id: in
   hex, "" for none. False: nothing is known. Opens the module's file and closes it again. */
typedef bool cs_resolve_function(const char *module, const char *build_id, int64_t offset, struct cs_source *source);

cs_resolve_function callsign_resolve;
