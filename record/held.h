/* Which objects have a value under which keys, as far as the program was seen to set and delete them. Keys that
   callsign does not know, and the predefined ones, are left out. Takes a lock, except where nothing is held. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "record/object.h"
#include "record/thread.h"

/* One value of one object. */
struct cs_held {
    int32_t keyval;
    uint32_t key;           /* id of the keyval: numbers are used again */
    uint32_t integer_bytes; /* of a value that Fortran set; 0: C did */
};

/* Whether there may be any. */
static inline bool cs_holds(const struct callsign_record *object)
{
    return object && cs_object_flags(object) & CS_OBJECT_HOLDS;
}

void cs_held_set(struct cs_thread *thread, const struct callsign_record *object, int keyval, uint32_t integer_bytes);
void cs_held_deleted(const struct callsign_record *object, int keyval);

/* Whether anything was ever held. Atomic. */
extern bool cs_held_any;

/* A duplicate is taken to hold what its original does, until it is asked. */
void cs_held_copy(const struct callsign_record *original, const struct callsign_record *duplicate);

/* What an object holds: the value at an index from 0. False: there is none. */
bool cs_held_at(const struct callsign_record *object, size_t index, struct cs_held *held);

/* It does not hold what it was taken to. */
void cs_held_lacks(const struct callsign_record *object, const struct cs_held *held);

/* Whether the key is not freed, so that the MPI may be asked about it. */
bool cs_held_is_of_a_key(const struct cs_held *held);

/* An object that holds something is dead. */
void cs_held_died(const struct callsign_record *object);

/* The keyval of this id was freed; how many objects still had a value. */
uint32_t cs_held_freed(uint32_t key);

/* In a forked child. */
void cs_held_forget(void);
