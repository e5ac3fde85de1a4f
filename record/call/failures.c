#include "record/call/failures.h"

#include <stdatomic.h>

#include "base/hash.h"
#include "record/process/recorder.h"

enum { KEPT_LOG2 = 10, STEPS_MOST = 64 };

bool cs_failures_add(uint16_t function, uint64_t site, int32_t error)
{
    static _Atomic uint64_t kept[1u << KEPT_LOG2]; /* 0: empty */
    const uint64_t key = cs_hash_mix(cs_hash_mix(cs_hash_mix(0, site), function), (uint32_t)error) | 1;
    for (uint64_t i = 0; i < STEPS_MOST; i++) {
        uint64_t there = 0;
        _Atomic uint64_t *slot = &kept[((key >> (64 - KEPT_LOG2)) + i) % (1u << KEPT_LOG2)];
        if (atomic_compare_exchange_strong_explicit(slot, &there, key, memory_order_relaxed, memory_order_relaxed))
            return true;
        if (there == key)
            return false;
    }
    cs_journal_count_loss(cs_recorder.journal);
    return false;
}
