/* The memory of the live table: records, and the index from handles to them, as include/callsign/debug.h describes.
   Looking up is for everybody and takes no lock; what writes (cs_table_*) is for record/object/object.c alone, under
   its lock.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "callsign/debug.h"

/* Fields of the live table that several threads use are plain in its public layout: they are read and written with
   __atomic builtins. Whether the object lives: */
static inline bool cs_object_is_live(const struct callsign_record *object)
{
    return __atomic_load_n(&object->state, __ATOMIC_ACQUIRE) == CALLSIGN_LIVE;
}

/* Whether this record is the live object behind the handle. */
static inline bool cs_object_is(const struct callsign_record *object, uint32_t kind, uint64_t handle)
{
    return cs_object_is_live(object) && object->handle == handle && object->kind == kind;
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

/* The record for record/object/object.c, which changes it: what a look-up returns is const for everybody else. */
static inline struct callsign_record *cs_table_open(const struct callsign_record *record)
{
    return cs_table_record(cs_table_number(record));
}

/* Whether one more handle can be put into the index: makes it larger when it is half full. False without memory. */
bool cs_table_make_room(void);

/* Makes the record, which is filled, the one to be found by its handle. */
void cs_table_put(const struct callsign_record *record, uint32_t number);

/* The live record of a handle and the slot that it is in; NULL if there is none. Safe against a concurrent writer. */
struct callsign_record *cs_table_find(uint32_t kind, uint64_t handle, uint64_t *found);

/* Takes a handle out of the index, by its slot. */
void cs_table_remove(uint64_t slot);

/* ---- strings ---- */

/* Strings of the live table: in segments that never move, at addresses that a debugger can follow. Small freed strings
   are used again, so that a program that renames for ever does not grow. The caller serialises. */

/* A copy of text; its address as in struct callsign_record, 0 without memory or for NULL and "". */
uint64_t cs_string_keep(const char *text);

/* The same for what an object was made with: a struct callsign_detail; as in struct callsign_record. 0 without memory.
 */
uint32_t cs_string_keep_detail(const void *items, size_t bytes);

/* Gives a string back; 0 is fine. */
void cs_string_drop(uint64_t address);

/* ---- records of the dead ---- */

/* Records of objects that have died: they keep their content until 4096 others have died, then new objects get
   them. For record/object/object.c alone, under its lock. */

/* The object died. */
void cs_dead_add(struct callsign_record *record);

/* The number of a record for a new object: that of the oldest dead, which is forgotten, or one never used.
   CS_TABLE_NONE without memory. */
uint32_t cs_dead_take(void);

/* The last that had this handle, or NULL. Looks at them all. */
const struct callsign_record *cs_dead_find(uint32_t kind, uint64_t handle);
