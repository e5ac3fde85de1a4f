/* The profile: one cell for each combination of object, function, call site and size class. See struct
   cs_profile_cell. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/process/cells.h"
#include "record/process/recorder.h"
#include "record/process/thread.h"

/* The first 16 bytes of a cell as two words. They are hashed and compared as words: to write four fields and read
   words would stall store forwarding at each call. */
struct cs_profile_key {
    uint64_t site;
    uint64_t what; /* object, function, size class, region: use cs_profile_key() */
};
static_assert(offsetof(struct cs_profile_cell, calls) == sizeof(struct cs_profile_key), "a cell begins with its key");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the words of a key have the fields of a cell, lowest first");

/* The key of a call in the region that the process is in now. */
enum { CS_PROFILE_SIZE_SHIFT = 48, CS_PROFILE_REGION_SHIFT = 56 };
static inline struct cs_profile_key cs_profile_key(uint64_t site, uint32_t object, uint16_t function,
                                                   uint8_t size_class)
{
    return (struct cs_profile_key){site, object | (uint64_t)function << 32 |
                                             (uint64_t)size_class << CS_PROFILE_SIZE_SHIFT |
                                             atomic_load_explicit(&cs_recorder.region, memory_order_relaxed)};
}

/* The communicator, window or file; 0: none. */
static inline uint32_t cs_profile_object(struct cs_profile_key key)
{
    return (uint32_t)key.what;
}

static inline uint16_t cs_profile_function(struct cs_profile_key key)
{
    return (uint16_t)(key.what >> 32);
}

static inline uint8_t cs_profile_size_class(struct cs_profile_key key)
{
    return (uint8_t)(key.what >> CS_PROFILE_SIZE_SHIFT);
}

/* floor(log2(bytes)) + 1; 0 for 0. */
static inline uint8_t cs_size_class(uint64_t bytes)
{
    return bytes ? (uint8_t)((63 ^ __builtin_clzll(bytes)) + 1) : 0; /* one instruction, and an addition */
}

/* The smallest size in a class. */
static inline uint64_t cs_size_of_class(uint8_t size_class)
{
    return size_class ? (uint64_t)1 << (size_class - 1) : 0;
}

/* Adds calls to their cell. ticks: of all; each: of one. */
static inline void cs_profile_add_to(struct cs_profile_cell *cell, uint64_t calls, uint64_t ticks, uint64_t each)
{
    cell->calls += calls;
    cell->ticks += ticks;
    if (__builtin_expect(each < cell->min_ticks, 0))
        cell->min_ticks = each;
    if (__builtin_expect(each > cell->max_ticks, 0))
        cell->max_ticks = each;
}

/* Adds bytes to a cell. Sums stop at the largest number: a program sends to MPI_PROC_NULL as many bytes as it likes. */
static inline void cs_profile_add_bytes(struct cs_profile_cell *cell, uint64_t sent_bytes, uint64_t received_bytes)
{
    if (__builtin_add_overflow(cell->sent_bytes, sent_bytes, &cell->sent_bytes))
        cell->sent_bytes = UINT64_MAX;
    if (__builtin_add_overflow(cell->received_bytes, received_bytes, &cell->received_bytes))
        cell->received_bytes = UINT64_MAX;
}

/* Records what the conversion needs to know about a call site. */
void cs_profile_record_site(uint64_t site);

/* Adds one call. Returns its cell; NULL: no room. *place: of the cell among the thread's, see record/call/ring.h; 0:
   unknown. */
struct cs_profile_cell *cs_profile_add_call(struct cs_thread *thread, struct cs_profile_key key, uint64_t ticks,
                                            uint64_t sent_bytes, uint64_t received_bytes, uint32_t *place);

/* Adds calls whose times are known in total, without a cell's place. */
void cs_profile_add_calls(struct cs_thread *thread, struct cs_profile_key key, uint64_t calls, uint64_t ticks);

/* True if there is a cell with this key: cs_profile_add_call takes no lock and no memory. */
bool cs_profile_has(const struct cs_thread *thread, struct cs_profile_key key);

/* Adds a call that the program left by longjmp: its time is unknown. */
void cs_profile_add_abandoned(struct cs_thread *thread, struct cs_profile_key key);

/* Adds time and bytes to a cell without another call: the share of a Waitall, the size of a completed receive. */
void cs_profile_add_time(struct cs_thread *thread, struct cs_profile_key key, uint64_t ticks, uint64_t sent_bytes,
                         uint64_t received_bytes);

/* ---- cells of objects that are dead ---- */

/* Every communicator, window or file that was used leaves cells when it dies. A program that makes a million of them
   in turn should not need memory for all. If most cells belong to dead objects, this leaves all cells to the
   journal. Call it before adding a cell. Returns true if it did: live objects then get new cells, at most one for
   three dead ones. */
bool cs_cells_release_dead(struct cs_cells *cells, const struct cs_cell_type *type);
