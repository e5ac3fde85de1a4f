/* The memory of the live table: records, and the index from handles to records, as in include/callsign/debug.h.
 * Look-ups are public and take no lock. Writing functions (cs_table_*) are for record/object/object.c only, under
 * its lock. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "callsign/debug.h"

/* Fields that several threads use are plain in the public layout, so they are read and written with __atomic
   builtins. True if the object is live: */
static inline bool cs_object_is_live(const struct callsign_record *object)
{
    return __atomic_load_n(&object->state, __ATOMIC_ACQUIRE) == CALLSIGN_LIVE;
}

/* True if this record is the live object of the handle. */
static inline bool cs_object_is(const struct callsign_record *object, uint32_t kind, uint64_t handle)
{
    return cs_object_is_live(object) && object->handle == handle && object->kind == kind;
}

/* CS_OBJECT_*; other threads may set and clear them. */
static inline uint32_t cs_object_flags(const struct callsign_record *object)
{
    return __atomic_load_n(&object->flags, __ATOMIC_ACQUIRE);
}

/* The address of its name, 0: none. Other threads may name it. */
static inline uint64_t cs_object_name_address(const struct callsign_record *object)
{
    return __atomic_load_n(&object->name, __ATOMIC_ACQUIRE);
}

/* How often it was named. Other threads may name it: a name that is read afterwards is that one, or a later one. */
static inline uint32_t cs_object_named(const struct callsign_record *object)
{
    return __atomic_load_n(&object->named, __ATOMIC_ACQUIRE);
}

/* The live object of a handle, or NULL. Records never move; a freed one keeps its content until 4096 others have
   died. */
const struct callsign_record *cs_object_find(uint32_t kind, uint64_t handle);

/* Number of changes of the index: while it is the same, each handle has the same object, or none. */
extern _Atomic uint64_t cs_table_changes __attribute__((visibility("hidden")));

enum { CS_TABLE_FIRST_LOG2 = 8 };

#define CS_TABLE_NONE UINT32_MAX

/* The segment of a record, and the number of a segment's first record. */
static inline unsigned cs_table_segment(uint32_t number)
{
    return 31u - (unsigned)__builtin_clz((number >> CS_TABLE_FIRST_LOG2) + 1);
}
static inline uint32_t cs_table_first(unsigned segment)
{
    return ((1u << segment) - 1) << CS_TABLE_FIRST_LOG2;
}

/* The record with a number in use. */
static inline __attribute__((always_inline)) struct callsign_record *cs_table_record(uint32_t number)
{
    unsigned segment = cs_table_segment(number);
    return (struct callsign_record *)(uintptr_t)callsign_debug.record_segment[segment] + number -
           cs_table_first(segment);
}

/* Shows all records to `visit`: live ones, and dead ones that are still kept. */
void cs_object_each(void (*visit)(const struct callsign_record *object, void *context), void *context);

/* The number of a record; CS_TABLE_NONE: not in the table. */
uint32_t cs_table_number(const struct callsign_record *record);

/* Gives record/object/object.c write access; for all others the results of look-ups are const. */
static inline struct callsign_record *cs_table_open(const struct callsign_record *record)
{
    return (struct callsign_record *)(uintptr_t)record;
}

/* Makes room for one more handle in the index, which grows when half full. Returns false without memory. */
bool cs_table_make_room(void);

/* Makes a complete record findable by its handle. */
void cs_table_put(const struct callsign_record *record, uint32_t number);

/* The live record of a handle and its slot, or NULL. Safe against a concurrent writer. */
struct callsign_record *cs_table_find(uint32_t kind, uint64_t handle, uint64_t *found);

/* Removes a handle from the index, by its slot. */
void cs_table_remove(uint64_t slot);

/* ---- strings ---- */

/* Strings of the live table, in segments that never move, at addresses that debuggers can follow. Small freed
   strings are reused, so that a program that renames for ever does not grow. The caller serializes. */

/* Copies a text of this length. Returns its address as in struct callsign_record; 0 without memory or for "". */
uint64_t cs_string_keep(const char *text, size_t length);

/* Copies the creating arguments as a struct callsign_detail; see struct callsign_record. 0 without memory. */
uint32_t cs_string_keep_detail(const void *items, size_t bytes);

/* Frees a string; 0 is allowed. */
void cs_string_drop(uint64_t address);

/* ---- records of the dead ---- */

/* Records of dead objects keep their content until 4096 others have died; then new objects get them. Only for
   record/object/object.c, under its lock. */

/* The object died. */
void cs_dead_add(struct callsign_record *record);

/* A record and its number for a new object: the oldest dead one, which is forgotten, or an unused one. NULL without
   memory. */
struct callsign_record *cs_dead_take(uint32_t *number);

/* The last dead object with this handle, or NULL. Searches all. */
const struct callsign_record *cs_dead_find(uint32_t kind, uint64_t handle);
