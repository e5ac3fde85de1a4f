/* Objects that have a name or attributes of callsign's keeping. No MPI here, and no lock: store.h holds it. */
#pragma once

#include <stddef.h>

#include "wrappers/fallback/keyval_table.h"

struct cs_own_attribute_key {
    uint64_t object; /* handle */
    uint64_t keyval; /* number: another for each kind of objects, whose handles may be equal */
};

struct cs_own_attribute {
    struct cs_own_attribute_key key;
    struct cs_own_value value;
    uint64_t sequence; /* of the call that set it */
    bool busy;         /* its delete callback is under way */
    struct cs_own_keyval *keyval;
    struct cs_own_object *object;
    struct cs_own_attribute *prev, *next; /* in the order in which they were set */
    UT_hash_handle hh;
};

struct cs_own_object {
    uint64_t handle;
    enum callsign_kind kind;
    uint32_t references; /* further ones, which the program frees one by one (MPI_Type_get_contents) */
    size_t attribute_count;
    char *name;                   /* NULL: none was set */
    struct cs_own_window *window; /* NULL: the MPI says what it is */
    struct cs_own_attribute *attributes;
    UT_hash_handle hh;
};

/* NULL: nothing is kept of it; make: no memory. */
struct cs_own_object *cs_own_object_find(enum callsign_kind kind, uint64_t handle);
struct cs_own_object *cs_own_object_make(enum callsign_kind kind, uint64_t handle);

/* Out of the table, in again, and away for good. In again: false without memory. */
void cs_own_object_unlink(struct cs_own_object *object);
bool cs_own_object_link(struct cs_own_object *object);
void cs_own_object_discard(struct cs_own_object *object); /* NULL: nothing */

/* If nothing is kept of it any more. */
void cs_own_object_drop_empty(struct cs_own_object *object);

/* NULL: it has none under this key. */
struct cs_own_attribute *cs_own_attribute_find(enum callsign_kind kind, uint64_t handle, int keyval);

/* If it is still what it was at this sequence number; NULL: it has gone or has another value. */
struct cs_own_attribute *cs_own_attribute_same(enum callsign_kind kind, struct cs_own_attribute_key key,
                                               uint64_t sequence);

/* Sets it, the newest from now on; each attribute has a reference to its keyval. False without memory. */
bool cs_own_attribute_put(struct cs_own_keyval *keyval, uint64_t handle, struct cs_own_value value);
void cs_own_attribute_remove(struct cs_own_attribute *attribute);

/* How many times an attribute was set. */
uint64_t cs_own_sequence(void);
