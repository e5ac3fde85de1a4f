/* The program's use of attributes: one cell for each distinct query and answer, see struct cs_attribute_cell. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "callsign/debug.h"
#include "journal/format.h"
#include "record/object/object.h"
#include "record/process/thread.h"

struct cs_attribute {
    uint64_t site;
    uint32_t object; /* id; 0: unknown */
    int32_t keyval;
    enum cs_attribute_operation operation;
    enum callsign_kind kind; /* kind of object of the key */
    bool found;
    enum cs_attribute_value value_kind;
    uint64_t value;
    uint64_t ticks; /* when */
};

/* Returns true if there was no cell like it before. */
bool cs_attribute_count(struct cs_thread *thread, const struct cs_attribute *attribute);

/* Records the MPI's words for an error, for values of the kind CS_VALUE_ERROR. */
void cs_attribute_note_error(int32_t error, const char *words);

/* Records the number of a named constant of the standard, as constant.NAME in meta. */
void cs_attribute_note_constant(const char *name, int value);

/* ---- values that objects hold ---- */

/* Which objects have values under which keys, as far as the program was seen to set and delete them. Unknown and
   predefined keys are left out. Takes a lock, unless no object has values. */

/* One value of one object. */
struct cs_presence {
    int32_t keyval;
    uint32_t key;           /* id of the keyval, because MPIs reuse numbers */
    uint32_t integer_bytes; /* size of a value that Fortran set; 0: set by C */
};

/* True if the object may have values. */
static inline bool cs_has_values(const struct callsign_record *object)
{
    return object && cs_object_flags(object) & CS_OBJECT_HOLDS;
}

void cs_presence_set(struct cs_thread *thread, const struct callsign_record *object, int keyval,
                     uint32_t integer_bytes);
void cs_presence_delete(const struct callsign_record *object, int keyval);

/* True if any object ever had a value. */
extern _Atomic bool cs_presence_any;

/* A duplicate is assumed to have its original's values until it is queried. */
void cs_presence_copy(const struct callsign_record *original, const struct callsign_record *duplicate);

/* The object's value at this index, from 0. Returns false at the end. */
bool cs_presence_get(const struct callsign_record *object, size_t index, struct cs_presence *held);

/* The object lacks a value that it was assumed to have. */
void cs_presence_remove(const struct callsign_record *object, const struct cs_presence *held);

/* True if the key is not freed, so that the MPI may be queried for it. */
bool cs_presence_has_keyval(const struct cs_presence *held);

/* An object with values is dead. */
void cs_presence_drop(const struct callsign_record *object);

/* The keyval with this id was freed; returns how many objects still had a value. */
uint32_t cs_presence_drop_keyval(uint32_t key);

/* In a forked child. */
void cs_presence_forget(void);

/* ---- facts about keyvals ---- */

/* Records a keyval. name: of a predefined one, else NULL. kind: kind of its objects. */
void cs_keyval_note(int keyval, enum callsign_kind kind, const char *name, uint16_t function, uint64_t site);

/* One of the two callbacks of a keyval. */
struct cs_callback {
    uint64_t address;
    const char *name; /* name in the standard; NULL: a function of the program */
};

struct cs_callbacks {
    enum callsign_kind kind; /* kind of the keyval's objects */
    enum cs_language language;
    struct cs_callback copy, delete;
    int64_t extra_state;
};

/* Records a keyval's callbacks and extra state. object: the keyval. */
void cs_keyval_note_callbacks(const struct callsign_record *object, const struct cs_callbacks *callbacks);

/* Records how many objects had a value when the keyval was freed. */
void cs_keyval_note_holders(uint32_t object, uint32_t holders);
