#include "record/call/failures.h"

#include <stdatomic.h>

#include "base/hash.h"

bool cs_failures_add(uint16_t function, uint64_t site, int32_t error)
{
    static _Atomic uint64_t kept[CS_FAILURES_KEPT]; /* 0: empty */
    uint64_t key = cs_hash_mix(cs_hash_mix(cs_hash_mix(0, site), function), (uint32_t)error) | 1;
    for (int i = 0; i < CS_FAILURES_KEPT; i++) {
        uint64_t there = 0;
        if (atomic_compare_exchange_strong_explicit(&kept[i], &there, key, memory_order_relaxed, memory_order_relaxed))
            return true;
        if (there == key)
            return false;
    }
    return false;
}
