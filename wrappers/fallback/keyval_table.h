/* The keyvals that callsign gave out itself. No MPI here, and no lock: store.h holds it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "callsign/debug.h"

/* A value is what the language that set it passes: a pointer from C, an INTEGER of MPI-1 or one as large as an address
   from Fortran. What another language reads is a matter of MPI 4.1, 19.3.6, and of wrappers/fallback/value.h. */
enum cs_own_value_kind { CS_OWN_POINTER, CS_OWN_INTEGER, CS_OWN_ADDRESS };
struct cs_own_value {
    union {
        void *pointer;
        int integer;
        intptr_t address;
    };
    enum cs_own_value_kind kind;
};

struct cs_own_keyval;

/* How the callbacks of a keyval are called, in its language: they return what the callback did. */
typedef int cs_own_copier(const struct cs_own_keyval *keyval, uint64_t object, struct cs_own_value in,
                          struct cs_own_value *out, int *flag);
typedef int cs_own_deleter(const struct cs_own_keyval *keyval, uint64_t object, struct cs_own_value value);

/* What is needed to call them, which is theirs alone to understand. */
struct cs_own_callbacks {
    cs_own_copier *call_copy;
    cs_own_deleter *call_delete;
    void (*copy)(void), (*delete)(void); /* the program's functions */
    struct cs_own_value extra_state;
};

struct cs_own_keyval {
    int number;              /* that the program knows */
    enum callsign_kind kind; /* of objects that it is for */
    uint32_t references;     /* the program's, until it frees it; each attribute's; each callback's under way */
    bool freed;              /* by the program; goes on while attributes have it */
    struct cs_own_callbacks callbacks;
    UT_hash_handle hh;
};

/* Whether callsign may have given out such a number. No MPI does: those of MPICH and its kin have bits of a kind, which
   are 0 here, and others count from small numbers. */
bool cs_own_keyval_is(int number);

/* NULL: no memory, or no number left. */
struct cs_own_keyval *cs_own_keyval_make(enum callsign_kind kind, const struct cs_own_callbacks *callbacks);

/* NULL: there is none for such objects. */
struct cs_own_keyval *cs_own_keyval_find(enum callsign_kind kind, int number);

/* With its last reference it is gone. */
void cs_own_keyval_release(struct cs_own_keyval *keyval);
