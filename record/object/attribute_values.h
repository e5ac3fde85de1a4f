/* Attribute traffic: one cell per distinct question and answer, see struct cs_attribute_cell. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "callsign/debug.h"
#include "journal/format.h"
#include "record/object/object.h"
#include "record/process/thread.h"

struct cs_attribute {
    uint64_t site;
    uint32_t object; /* id; 0: not known */
    int32_t keyval;
    enum cs_attribute_operation operation;
    enum callsign_kind kind; /* of object that the key is for */
    bool found;
    enum cs_attribute_value value_kind;
    uint64_t value;
    uint64_t ticks; /* when */
};

/* True: there was none like it before. */
bool cs_attribute_count(struct cs_thread *thread, const struct cs_attribute *attribute);

/* What the MPI calls an error, in words: of a value whose kind is CS_VALUE_ERROR. */
void cs_attribute_note_error(int32_t error, const char *words);

/* A number that is an answer, by its name in the standard: it becomes a line of meta, constant.NAME. */
void cs_attribute_note_constant(const char *name, int value);

/* ---- values that objects hold ---- */

/* Which objects have a value under which keys, as far as the program was seen to set and delete them. Keys that
   callsign does not know, and the predefined ones, are left out. Takes a lock, except where nothing is held. */

/* One value of one object. */
struct cs_presence {
    int32_t keyval;
    uint32_t key;           /* id of the keyval: numbers are used again */
    uint32_t integer_bytes; /* of a value that Fortran set; 0: C did */
};

/* Whether there may be any. */
static inline bool cs_has_values(const struct callsign_record *object)
{
    return object && cs_object_flags(object) & CS_OBJECT_HOLDS;
}

void cs_presence_set(struct cs_thread *thread, const struct callsign_record *object, int keyval,
                     uint32_t integer_bytes);
void cs_presence_delete(const struct callsign_record *object, int keyval);

/* Whether anything was ever held. */
extern _Atomic bool cs_presence_any;

/* A duplicate is taken to hold what its original does, until it is asked. */
void cs_presence_copy(const struct callsign_record *original, const struct callsign_record *duplicate);

/* What an object holds: the value at an index from 0. False: there is none. */
bool cs_presence_get(const struct callsign_record *object, size_t index, struct cs_presence *held);

/* It does not hold what it was taken to. */
void cs_presence_remove(const struct callsign_record *object, const struct cs_presence *held);

/* Whether the key is not freed, so that the MPI may be asked about it. */
bool cs_presence_has_keyval(const struct cs_presence *held);

/* An object that holds something is dead. */
void cs_presence_drop(const struct callsign_record *object);

/* The keyval of this id was freed; how many objects still had a value. */
uint32_t cs_presence_drop_keyval(uint32_t key);

/* In a forked child. */
void cs_presence_forget(void);

/* ---- facts about keyvals ---- */

/* A keyval came into being. name: of a predefined one, else NULL. kind: of the objects that it is for. */
void cs_keyval_note(int keyval, enum callsign_kind kind, const char *name, uint16_t function, uint64_t site);

/* One of the two functions of a keyval. */
struct cs_callback {
    uint64_t address;
    const char *name; /* in the standard; NULL: it is the program's own */
};

struct cs_callbacks {
    enum callsign_kind kind; /* of the objects that the keyval is for */
    enum cs_language language;
    struct cs_callback copy, delete;
    int64_t extra_state;
};

/* What the program gave with a keyval. object: the keyval. */
void cs_keyval_note_callbacks(const struct callsign_record *object, const struct cs_callbacks *callbacks);

/* It was freed while so many objects had a value under it. */
void cs_keyval_note_holders(uint32_t object, uint32_t holders);
