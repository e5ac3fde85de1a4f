/* Steps: one call of the program after another. A small table has what the last call of each kind used: its cell of the
   profile, the cell of the code before it, and its event. A call in the steady state finds its step by one comparison
   of three words, and adds to what the step has. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "record/call/profile.h"
#include "record/process/recorder.h"
#include "record/process/thread.h"

/* Call site and function in one word. Addresses have 48 bits, and the numbers of stacks the highest bit. */
enum { CS_STEP_FUNCTION_SHIFT = 48 };
static inline uint64_t cs_step_at(uint64_t site, uint16_t function)
{
    return site ^ (uint64_t)function << CS_STEP_FUNCTION_SHIFT;
}

/* What a step is known by. */
struct cs_step_key {
    uint64_t from, at; /* of the call before, and of this one */
    uint64_t rest;     /* object, size class and region, as in struct cs_profile_key */
};

/* bytes: sets the size class. */
static inline __attribute__((always_inline)) struct cs_step_key
cs_step_key(const struct cs_thread *thread, uint64_t site, uint16_t function, uint32_t object, uint64_t bytes)
{
    uint64_t rest = object | atomic_load_explicit(&cs_recorder.region, memory_order_relaxed);
    if (bytes)
        rest |= (uint64_t)cs_size_class(bytes) << CS_PROFILE_SIZE_SHIFT;
    return (struct cs_step_key){thread->last_at, cs_step_at(site, function), rest};
}

/* Where the step is, or replaces another. */
static inline struct cs_step *cs_step_slot(struct cs_thread *thread, struct cs_step_key key)
{
    const uint64_t spread = 0x9e3779b97f4a7c15u;
    return &thread->steps[(key.at + 2 * key.from + key.rest) * spread >> (64 - CS_STEPS_LOG2)];
}

static inline bool cs_step_is(const struct cs_step *step, struct cs_step_key key)
{
    return step->at == key.at && step->from == key.from && step->rest == key.rest;
}
