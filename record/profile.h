/* The profile: one cell per (communicator, function, call site, size class), see struct cs_profile_cell. */
#ifndef CS_RECORD_PROFILE_H
#define CS_RECORD_PROFILE_H

#include <stdint.h>

#include "record/thread.h"

struct cs_profile_key {
    uint64_t site;
    uint32_t communicator;
    uint16_t function;
    uint8_t size_class;
    uint8_t zero;
};
static_assert(sizeof(struct cs_profile_key) == 16, "compared as raw bytes: no padding");
static_assert(offsetof(struct cs_profile_cell, calls) == 16, "a cell begins with its key");

/* floor(log2(bytes)) + 1; 0 for 0. */
static inline uint8_t cs_size_class(uint64_t bytes)
{
    return bytes ? (uint8_t)(64 - __builtin_clzll(bytes)) : 0;
}

/* Adds one call. */
void cs_profile_call(struct cs_thread *thread, const struct cs_profile_key *key, uint64_t ticks, uint64_t sent_bytes,
                     uint64_t received_bytes);

/* Adds time and bytes that belong to a cell without another call: the share of a Waitall, the size of a completed receive. */
void cs_profile_more(struct cs_thread *thread, const struct cs_profile_key *key, uint64_t ticks, uint64_t sent_bytes,
                     uint64_t received_bytes);

#endif
