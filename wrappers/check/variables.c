#include "wrappers/check/variables.h"

#include <stdatomic.h>

#include "base/hash.h"
#include "base/keep_errno.h"
#include "journal_writers.h"
#include "record/site/module.h"
#include "record/site/stack.h"

enum { SEEN = 1024, TRIES = 8, DISTANCE_BITS = 40, NOTED_MOST = 4096 };

/* What is looked at takes long: each call site is looked at again only if its data reaches farther. Call sites that
   find no room are not. */
struct seen {
    _Atomic uint64_t slot[SEEN];
};

static const uint64_t most_distance = ((uint64_t)1 << DISTANCE_BITS) - 1;

/* The usual place of the call site has it. */
static inline bool is_known(struct seen *seen, uint64_t hash, uint64_t distance)
{
    const uint64_t known = atomic_load_explicit(&seen->slot[hash % SEEN], memory_order_relaxed);
    return (known ^ hash) >> DISTANCE_BITS == 0 && (known & most_distance) >= distance;
}

static __attribute__((noinline)) bool add_distance(struct seen *seen, uint64_t hash, uint64_t distance)
{
    if (distance > most_distance)
        distance = most_distance;
    for (uint64_t i = 0; i < TRIES; i++) {
        _Atomic uint64_t *slot = &seen->slot[(hash + i) % SEEN];
        uint64_t known = atomic_load_explicit(slot, memory_order_relaxed);
        if (known && (known ^ hash) >> DISTANCE_BITS != 0)
            continue;
        if (known && (known & most_distance) >= distance)
            return false;
        atomic_store_explicit(slot, (hash & ~most_distance) | distance, memory_order_relaxed);
        return true;
    }
    return false;
}

/* what: tells buffers of a call apart. */
static inline uint64_t hash_of(const struct cs_call *call, uint64_t what)
{
    const uint64_t mark = (uint64_t)1 << 63; /* no hash is 0 */
    return cs_hash_mix(call->innermost, (what << 15 ^ call->function) << 48) | mark;
}

static inline bool reaches_farther(struct seen *seen, uint64_t hash, uint64_t distance)
{
    return !is_known(seen, hash, distance) && add_distance(seen, hash, distance);
}

static uint64_t distance_to(const struct cs_call *call, uint64_t address)
{
    return address - (uint64_t)(uintptr_t)call;
}

void cs_check_frames_now(struct cs_call *call, uint64_t begin, uint64_t end)
{
    static struct seen seen;
    if (!reaches_farther(&seen, hash_of(call, 0), distance_to(call, end)))
        return;
    uint64_t pc = call->innermost & CS_SITE_STACK ? 0 : call->innermost;
    if (pc && cs_stack_return_in(call->thread, pc, begin, end))
        cs_misuse_note(call, CS_MISUSE_BEYOND_FRAME, 0, 0);
}

static void note(struct cs_call *call, struct cs_fact_variable fact)
{
    static _Atomic int noted;
    if (atomic_fetch_add_explicit(&noted, 1, memory_order_relaxed) >= NOTED_MOST)
        return;
    CS_KEEP_ERRNO;
    fact.fact.ticks = cs_clock_ticks();
    fact.function = call->function;
    fact.object = call->about;
    fact.site = cs_call_site(call);
    cs_module_record(fact.site);
    cs_module_record(fact.address);
    cs_write_variable(cs_recorder.journal, fact);
}

static void note_place(struct cs_call *call, uint64_t begin, uint64_t bytes, bool on_stack)
{
    struct cs_fact_variable fact = {.address = begin, .bytes = (int64_t)bytes};
    uint64_t top;
    if (on_stack && cs_stack_find_frame(call->thread, begin, &fact.address, &top))
        fact.frame_offset = (int64_t)(begin - top);
    else if (on_stack || !cs_module_is_of_program(begin))
        return;
    note(call, fact);
}

static struct seen on_stack, elsewhere;

/* A function of its own, so that cs_check_variable saves no register. */
static __attribute__((noinline)) void check_variable(struct cs_call *call, bool writes, uint64_t begin, uint64_t bytes)
{
    const bool is_on_stack = cs_stack_has(call->thread, begin);
    if (reaches_farther(is_on_stack ? &on_stack : &elsewhere, hash_of(call, writes),
                        is_on_stack ? distance_to(call, begin + bytes) : bytes))
        note_place(call, begin, bytes, is_on_stack);
}

void cs_check_variable(struct cs_call *call, bool writes, uint64_t begin, uint64_t bytes)
{
    if (cs_stack_may_have(call->thread, begin) || !is_known(&elsewhere, hash_of(call, writes), bytes))
        check_variable(call, writes, begin, bytes);
}
