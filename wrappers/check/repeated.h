/* Calls that repeat one that was checked: they need not be checked again. */
#pragma once

#include <stdatomic.h>

#include "record/object/object_table.h"
#include "wrappers/call/call.h"

enum { CS_REPEATED_WORDS = 12 };

/* A call, with its arguments and the state of the table of objects. */
struct cs_repeated {
    const struct cs_call *call; /* its frame */
    uint64_t site, changes;
    uint32_t about;
    uint16_t function;
    uint64_t words[CS_REPEATED_WORDS];
};

/* True if the call with these arguments repeats the last one; else it becomes the last one. count: a constant of at
   most CS_REPEATED_WORDS; the compiler unrolls the loops. */
static inline __attribute__((always_inline)) bool cs_repeats(struct cs_repeated *last, const struct cs_call *call,
                                                             const uint64_t words[], int count)
{
    const uint64_t changes = atomic_load_explicit(&cs_table_changes, memory_order_acquire);
    uint64_t differs = (last->site ^ call->innermost) | (last->changes ^ changes) | (last->about ^ call->about) |
                       (uint64_t)(last->function ^ call->function) | (uint64_t)(last->call != call);
#pragma GCC unroll 12
    for (int i = 0; i < count; i++)
        differs |= last->words[i] ^ words[i];
    if (!differs)
        return true;
    last->call = call;
    last->site = call->innermost;
    last->changes = changes;
    last->about = call->about;
    last->function = call->function;
#pragma GCC unroll 12
    for (int i = 0; i < count; i++)
        last->words[i] = words[i];
    return false;
}
