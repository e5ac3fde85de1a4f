/* Steps: one call of the program after another. A small table has what calls use: the cell of the profile, the cell of
   the code before the call, and its event. Each step knows the one that followed it last. So a call in the steady state
   finds its step by one comparison of two words, and adds to what the step has. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "record/call/profile.h"
#include "record/process/recorder.h"
#include "record/process/thread.h"

/* Site and function of the last call in one word: addresses have 48 bits. */
static inline uint64_t cs_step_from(const struct cs_thread *thread)
{
    return thread->last_site ^ (uint64_t)thread->last_function << 48;
}

static inline bool cs_step_is(const struct cs_step *step, struct cs_profile_key key)
{
    return step->site == key.site && step->what == key.what;
}

/* The step with this key after a call, or the unused one for it. */
static inline struct cs_step *cs_step_find(struct cs_thread *thread, struct cs_profile_key key, uint64_t from)
{
    uint64_t slot = cs_hash_place(key.site + 2 * from + key.what, CS_STEPS_LOG2);
    struct cs_step *step = &thread->steps[slot];
    while (__builtin_expect(step->site && (!cs_step_is(step, key) || step->from != from), 0)) {
        slot = (slot + 1) % (1u << CS_STEPS_LOG2);
        step = &thread->steps[slot];
    }
    return step;
}

/* The step with this key after the last call, which may have been another one the last time; NULL: none. */
static inline struct cs_step *cs_step_next(struct cs_thread *thread, struct cs_profile_key key)
{
    struct cs_step *next = thread->step->next;
    if (cs_step_is(next, key))
        return next;
    next = cs_step_find(thread, key, cs_step_from(thread));
    if (!next->site)
        return NULL;
    if (thread->step->site)
        thread->step->next = next;
    return next;
}
