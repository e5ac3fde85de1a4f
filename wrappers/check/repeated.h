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

/* How many calls of a site in a row were new ones, by a hash of the site. From CS_NEW_MANY on, calls of the site are
   not compared, which would take longer than it saves: they are only counted, until the count begins again from 0. */
enum { CS_NEW_SITES = 256, CS_NEW_MANY = 24 };
extern _Atomic uint8_t cs_new_calls[CS_NEW_SITES] __attribute__((visibility("hidden")));

static inline __attribute__((always_inline)) _Atomic uint8_t *cs_new_calls_of(const struct cs_call *call)
{
    return &cs_new_calls[(call->innermost ^ call->innermost >> 8) % CS_NEW_SITES];
}

/* True if the call is probably a new one, too. Then it counts. */
static inline __attribute__((always_inline)) bool cs_is_new_again(const struct cs_call *call)
{
    _Atomic uint8_t *new_calls = cs_new_calls_of(call);
    const uint8_t count = atomic_load_explicit(new_calls, memory_order_relaxed);
    const bool again = __builtin_expect(count >= CS_NEW_MANY, 0);
    if (again)
        atomic_store_explicit(new_calls, (uint8_t)(count + 1), memory_order_relaxed);
    return again;
}

/* Counts a call that was compared. */
static inline void cs_note_repeated(const struct cs_call *call, bool repeated)
{
    _Atomic uint8_t *new_calls = cs_new_calls_of(call);
    const uint8_t count = atomic_load_explicit(new_calls, memory_order_relaxed);
    if (count || !repeated)
        atomic_store_explicit(new_calls, repeated ? 0 : (uint8_t)(count + 1), memory_order_relaxed);
}

/* The sum of the words. Where it is inlined, they are in registers. */
static inline __attribute__((always_inline)) uint64_t cs_repeated_sum(const uint64_t words[static CS_REPEATED_WORDS])
{
    uint64_t sum = 0;
#pragma GCC unroll 12
    for (int i = 0; i < CS_REPEATED_WORDS; i++)
        sum += words[i];
    return sum;
}

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
