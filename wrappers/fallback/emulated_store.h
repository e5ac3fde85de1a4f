/* The store of names, attributes and windows that callsign keeps for an MPI. It knows no MPI: handles are 64-bit
   keys. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash_table.h"
#include "callsign/debug.h"

/* A value as its language passed it: a pointer from C; from Fortran an INTEGER of MPI-1 or an integer of address
   size. wrappers/fallback/emulated_attribute.h converts it for other languages (MPI 4.1, 19.3.6). */
enum cs_emulated_value_kind { CS_EMULATED_POINTER, CS_EMULATED_INTEGER, CS_EMULATED_ADDRESS };
struct cs_emulated_value {
    union {
        void *pointer;
        int integer;
        intptr_t address;
    };
    enum cs_emulated_value_kind kind;
};

struct cs_emulated_keyval;

/* Call the callbacks of a keyval in its language, and return the callback's result. */
typedef int cs_emulated_copier(const struct cs_emulated_keyval *keyval, uint64_t object, struct cs_emulated_value in,
                               struct cs_emulated_value *out, int *flag);
typedef int cs_emulated_deleter(const struct cs_emulated_keyval *keyval, uint64_t object,
                                struct cs_emulated_value value);

/* The data that these callers need; the store does not interpret it. */
struct cs_emulated_callbacks {
    cs_emulated_copier *call_copy;
    cs_emulated_deleter *call_delete;
    void (*copy)(void), (*delete)(void); /* the program's functions */
    struct cs_emulated_value extra_state;
};

struct cs_emulated_keyval {
    int number;              /* the number that the program has */
    enum callsign_kind kind; /* kind of object for the keyval */
    uint32_t references; /* held by the program until it frees it, by each attribute, and by each running callback */
    bool freed;          /* freed by the program; it lives on while attributes use it */
    struct cs_emulated_callbacks callbacks;
    UT_hash_handle hh;
};

/* True if callsign may have made this number. No MPI makes such numbers: those of MPICH and its derivatives have
   kind bits, which are 0 here, and others count from small numbers. */
bool cs_emulated_keyval_is(int number);

enum cs_emulated_outcome {
    CS_EMULATED_DONE,
    CS_EMULATED_NO_KEYVAL, /* no such keyval, or not for this kind of object */
    CS_EMULATED_NO_MEMORY,
    CS_EMULATED_REFUSED, /* a callback returned another value than 0 */
};
struct cs_emulated_result {
    enum cs_emulated_outcome outcome;
    int code; /* result of the callback */
};

/* ---- keyvals ---- */

enum cs_emulated_outcome cs_emulated_keyval_create(enum callsign_kind kind,
                                                   const struct cs_emulated_callbacks *callbacks, int *number);

/* Attributes that use the keyval work until the last is deleted. Meanwhile another free is no error. */
enum cs_emulated_outcome cs_emulated_keyval_free(enum callsign_kind kind, int number);

/* ---- attributes ---- */

/* Deletes the old value first; it stays if its callback refuses. The attribute then becomes the newest. */
struct cs_emulated_result cs_emulated_set(enum callsign_kind kind, uint64_t object, int keyval,
                                          struct cs_emulated_value value);

/* The result of a look-up. found is false if the object has no such attribute. */
struct cs_emulated_answer {
    bool found;
    struct cs_emulated_value value;
    void *kept; /* address of its integer; valid until the attribute is deleted or set */
};
enum cs_emulated_outcome cs_emulated_get(enum callsign_kind kind, uint64_t object, int keyval,
                                         struct cs_emulated_answer *answer);

/* An attribute that does not exist, or whose callback is running, is no error. */
struct cs_emulated_result cs_emulated_delete(enum callsign_kind kind, uint64_t object, int keyval);

/* Deletes all attributes, newest first. If a callback refuses, it stops and keeps the rest; in_spite: it continues
   and keeps none. */
struct cs_emulated_result cs_emulated_clear(enum callsign_kind kind, uint64_t object, bool in_spite);

/* ---- copies for duplicates ---- */

/* The attributes of an object after the copy callbacks, in the order of setting. */
struct cs_emulated_copies;
struct cs_emulated_result cs_emulated_copy(enum callsign_kind kind, uint64_t object,
                                           struct cs_emulated_copies **copies);

/* Gives the copies to the duplicate; returns false if some were lost without memory. The second function drops them.
   NULL: nothing to do. */
bool cs_emulated_attach(uint64_t duplicate, struct cs_emulated_copies *copies);
void cs_emulated_copies_drop(struct cs_emulated_copies *copies);

/* ---- the end of objects ---- */

/* The program received the handle once more, and will free it once more. Returns false without memory. */
bool cs_emulated_refer(enum callsign_kind kind, uint64_t object);

/* Ends one such reference. Returns false if there is none: then the object itself ends. */
bool cs_emulated_unrefer(enum callsign_kind kind, uint64_t object);

/* True if the store has something for the object. */
bool cs_emulated_has(enum callsign_kind kind, uint64_t object);

/* Removes the object from the store, because its handle may be reused as soon as it is free. Returns NULL if there
   is nothing. After the free, the object is put back or dropped. Attributes that are left are lost. */
struct cs_emulated_object;
struct cs_emulated_object *cs_emulated_take(enum callsign_kind kind, uint64_t object);
void cs_emulated_put_back(struct cs_emulated_object *taken);
void cs_emulated_drop(struct cs_emulated_object *taken);

/* ---- names ---- */

/* False without memory. */
bool cs_emulated_name_set(enum callsign_kind kind, uint64_t object, const char *name, size_t length);

/* Copies at most `bytes` bytes with the NUL. Returns false if no name was set; the name may be "". */
bool cs_emulated_name_get(enum callsign_kind kind, uint64_t object, char *name, size_t bytes);

/* ---- windows ---- */

/* The values for MPI_Win_get_attr (MPI 4.1, 12.2.6), with the MPI's constants. */
struct cs_emulated_window {
    void *base;
    intptr_t size_bytes;
    int displacement_unit_bytes, flavor, model;
};

/* Replaces what the store had for this handle. Returns false without memory. */
bool cs_emulated_window_keep(uint64_t window, const struct cs_emulated_window *what);

/* The address stays valid until the window is freed. NULL: its creation was not seen. */
struct cs_emulated_window *cs_emulated_window_kept(uint64_t window);
