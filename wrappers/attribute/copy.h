/* Which attributes a duplicate got from its original: asked past the program, by the thread that made it. */
#pragma once

#include "record/attribute_values.h"
#include "wrappers/call/call.h"

/* Role, after success. Handles as CS_KEY; the kinds are the same. */
void cs_duplicated(struct cs_call *call, enum callsign_kind kind, uint64_t original, uint64_t duplicate);
static inline void cs_copied_attributes(struct cs_call *call, enum callsign_kind kind, uint64_t original,
                                        enum callsign_kind duplicate_kind, uint64_t duplicate)
{
    (void)duplicate_kind;
    if (__builtin_expect(__atomic_load_n(&cs_held_any, __ATOMIC_RELAXED), 0))
        cs_duplicated(call, kind, original, duplicate);
}

/* The duplicate of this number, of MPI_Comm_idup at this call site, is complete and may be asked. */
void cs_duplicate_ready(struct cs_call *call, uint32_t id, uint64_t site);
