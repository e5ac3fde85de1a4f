/* The memory of the live table: records, and the index from handles to them, as include/callsign/debug.h describes.
   Looking up is for everybody and takes no lock; what writes (cs_table_*) is for record/object.c alone, under its lock.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "callsign/debug.h"

/* Whether this record is the live object behind the handle. */
static inline bool cs_object_is(const struct callsign_record *object, uint32_t kind, uint64_t handle)
{
    return __atomic_load_n(&object->state, __ATOMIC_ACQUIRE) == CALLSIGN_LIVE && object->handle == handle &&
           object->kind == kind;
}

/* CS_OBJECT_*, which other threads may set and clear. */
static inline uint32_t cs_object_flags(const struct callsign_record *object)
{
    return __atomic_load_n(&object->flags, __ATOMIC_ACQUIRE);
}

/* The live object behind a handle, or NULL. Records never move; one that is freed keeps its content until 4096 others
   have died. */
const struct callsign_record *cs_object_find(uint32_t kind, uint64_t handle);

enum { CS_TABLE_FIRST_LOG2 = 8 };

#define CS_TABLE_NONE UINT32_MAX

/* The segment that a record lies in, and the number of a segment's first record. */
static inline unsigned cs_table_segment(uint32_t number)
{
    return 31u - (unsigned)__builtin_clz((number >> CS_TABLE_FIRST_LOG2) + 1);
}
static inline uint32_t cs_table_first(unsigned segment)
{
    return ((1u << segment) - 1) << CS_TABLE_FIRST_LOG2;
}

/* Of a number that was handed out. */
static inline struct callsign_record *cs_table_record(uint32_t number)
{
    unsigned segment = cs_table_segment(number);
    return (struct callsign_record *)(uintptr_t)callsign_debug.record_segment[segment] + number -
           cs_table_first(segment);
}

/* Shows all records to `visit`: the living and those of the dead that are still kept. */
void cs_object_each(void (*visit)(const struct callsign_record *object, void *context), void *context);

/* CS_TABLE_NONE: not one of ours. */
uint32_t cs_table_number(const struct callsign_record *record);

/* The number of a record never used before; CS_TABLE_NONE without memory. */
uint32_t cs_table_new_record(void);

/* Whether one more handle can be put into the index: makes it larger when it is half full. False without memory. */
bool cs_table_make_room(void);

/* Makes the record, which is filled, the one to be found by its handle. */
void cs_table_put(const struct callsign_record *record, uint32_t number);

/* The live record of a handle and the slot that it is in; NULL if there is none. Safe against a concurrent writer. */
struct callsign_record *cs_table_find(uint32_t kind, uint64_t handle, uint64_t *found);

/* Takes a handle out of the index, by its slot. */
void cs_table_remove(uint64_t slot);
