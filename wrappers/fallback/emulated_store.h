/* Names, attributes and windows that callsign keeps for an MPI. It knows no MPI: handles are plain 64-bit keys. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "callsign/debug.h"

/* A value is what the language that set it passes: a pointer from C, an INTEGER of MPI-1 or one as large as an address
   from Fortran. What another language reads is a matter of MPI 4.1, 19.3.6, and of
   wrappers/fallback/emulated_attribute.h. */
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

/* How the callbacks of a keyval are called, in its language: they return what the callback did. */
typedef int cs_emulated_copier(const struct cs_emulated_keyval *keyval, uint64_t object, struct cs_emulated_value in,
                               struct cs_emulated_value *out, int *flag);
typedef int cs_emulated_deleter(const struct cs_emulated_keyval *keyval, uint64_t object,
                                struct cs_emulated_value value);

/* What is needed to call them, which is theirs alone to understand. */
struct cs_emulated_callbacks {
    cs_emulated_copier *call_copy;
    cs_emulated_deleter *call_delete;
    void (*copy)(void), (*delete)(void); /* the program's functions */
    struct cs_emulated_value extra_state;
};

struct cs_emulated_keyval {
    int number;              /* that the program knows */
    enum callsign_kind kind; /* of objects that it is for */
    uint32_t references;     /* the program's, until it frees it; each attribute's; each callback's under way */
    bool freed;              /* by the program; goes on while attributes have it */
    struct cs_emulated_callbacks callbacks;
    UT_hash_handle hh;
};

/* Whether callsign may have given out such a number. No MPI does: those of MPICH and its kin have bits of a kind, which
   are 0 here, and others count from small numbers. */
bool cs_emulated_keyval_is(int number);

enum cs_emulated_outcome {
    CS_EMULATED_DONE,
    CS_EMULATED_NO_KEYVAL, /* no such keyval, or not for such objects */
    CS_EMULATED_NO_MEMORY,
    CS_EMULATED_REFUSED, /* a callback returned something else than 0 */
};
struct cs_emulated_result {
    enum cs_emulated_outcome outcome;
    int code; /* that the callback returned */
};

/* ---- keyvals ---- */

enum cs_emulated_outcome cs_emulated_keyval_create(enum callsign_kind kind,
                                                   const struct cs_emulated_callbacks *callbacks, int *number);

/* What attributes still have goes on working until the last of them is deleted; freeing it again is no error then. */
enum cs_emulated_outcome cs_emulated_keyval_free(enum callsign_kind kind, int number);

/* ---- attributes ---- */

/* The old value is deleted first; it stays when its callback refuses. The attribute is the newest then. */
struct cs_emulated_result cs_emulated_set(enum callsign_kind kind, uint64_t object, int keyval,
                                          struct cs_emulated_value value);

/* One look-up. found: false, it has none under this key. */
struct cs_emulated_answer {
    bool found;
    struct cs_emulated_value value;
    void *kept; /* where its integer is kept, until the attribute is deleted or set */
};
enum cs_emulated_outcome cs_emulated_get(enum callsign_kind kind, uint64_t object, int keyval,
                                         struct cs_emulated_answer *answer);

/* One that is not there, or whose callback is just running, is no error. */
struct cs_emulated_result cs_emulated_delete(enum callsign_kind kind, uint64_t object, int keyval);

/* Deletes all attributes, newest first. When a callback refuses it stops there, and the rest is kept; in spite: it goes
   on and none is. */
struct cs_emulated_result cs_emulated_clear(enum callsign_kind kind, uint64_t object, bool in_spite);

/* ---- copies for duplicates ---- */

/* What the copy callbacks made of the attributes of an object, in the order in which they were set. */
struct cs_emulated_copies;
struct cs_emulated_result cs_emulated_copy(enum callsign_kind kind, uint64_t object,
                                           struct cs_emulated_copies **copies);

/* Gives them to the duplicate; false: some were lost for want of memory. Or drops them. NULL: nothing. */
bool cs_emulated_attach(uint64_t duplicate, struct cs_emulated_copies *copies);
void cs_emulated_copies_drop(struct cs_emulated_copies *copies);

/* ---- the end of objects ---- */

/* The program was given the handle once more, and will free it once more. False without memory. */
bool cs_emulated_refer(enum callsign_kind kind, uint64_t object);

/* One such reference ends. False: there is none, the object itself does. */
bool cs_emulated_unrefer(enum callsign_kind kind, uint64_t object);

/* Whether anything is kept of the object. */
bool cs_emulated_has(enum callsign_kind kind, uint64_t object);

/* Takes what is kept of the object out, because the handle may be used again the moment it is free; NULL: nothing is.
   Then it is put back or dropped, as the free went. Attributes that are left are lost. */
struct cs_emulated_object;
struct cs_emulated_object *cs_emulated_take(enum callsign_kind kind, uint64_t object);
void cs_emulated_put_back(struct cs_emulated_object *taken);
void cs_emulated_drop(struct cs_emulated_object *taken);

/* ---- names ---- */

/* False without memory. */
bool cs_emulated_name_set(enum callsign_kind kind, uint64_t object, const char *name, size_t length);

/* At most `bytes` with the end; false: none was set. "" may be one. */
bool cs_emulated_name_get(enum callsign_kind kind, uint64_t object, char *name, size_t bytes);

/* ---- windows ---- */

/* What MPI_Win_get_attr is asked for (MPI 4.1, 12.2.6), with constants of the MPI. */
struct cs_emulated_window {
    void *base;
    intptr_t size_bytes;
    int displacement_unit_bytes, flavor, model;
};

/* In place of what was kept of the handle before. False without memory. */
bool cs_emulated_window_keep(uint64_t window, const struct cs_emulated_window *what);

/* Stays where it is until the window is freed. NULL: its making was not seen. */
struct cs_emulated_window *cs_emulated_window_kept(uint64_t window);
