#include "wrappers/check/stack_buffers.h"

#include <stdatomic.h>

#include "base/hash.h"
#include "record/site/stack.h"

enum { SEEN = 1024, TRIES = 8, DISTANCE_BITS = 40 };

/* Looking for return addresses takes long: each call site is checked again only if its buffer reaches farther. Call
   sites that find no room are not checked. */
static bool reaches_farther(const struct cs_call *call, uint64_t distance)
{
    static _Atomic uint64_t seen[SEEN];
    const uint64_t most = ((uint64_t)1 << DISTANCE_BITS) - 1;
    uint64_t hash = cs_hash_mix(call->innermost, call->function) | (uint64_t)1 << 63;
    if (distance > most)
        distance = most;
    for (uint64_t i = 0; i < TRIES; i++) {
        _Atomic uint64_t *slot = &seen[(hash + i) % SEEN];
        uint64_t known = atomic_load_explicit(slot, memory_order_relaxed);
        if (known && (known ^ hash) >> DISTANCE_BITS != 0)
            continue;
        if (known && (known & most) >= distance)
            return false;
        atomic_store_explicit(slot, (hash & ~most) | distance, memory_order_relaxed);
        return true;
    }
    return false;
}

void cs_check_frames(struct cs_call *call, uint64_t begin, uint64_t end)
{
    if (!cs_stack_has(call->thread, begin) || !reaches_farther(call, end - (uint64_t)(uintptr_t)call))
        return;
    uint64_t pc = call->innermost & CS_SITE_STACK ? 0 : call->innermost;
    if (pc && cs_stack_return_in(call->thread, pc, begin, end))
        cs_misuse_note(call, CS_MISUSE_BEYOND_FRAME, 0, 0);
}
