/* Facts of the journal about keyvals: db/journal/format.h has all others. */
#pragma once

#include "db/journal/format.h"

struct cs_fact_keyval {
    struct cs_fact fact;
    int32_t keyval;
    uint16_t kind;     /* of object that it is for */
    uint16_t function; /* that created it; 0: predefined */
    uint64_t site;
};

/* By which interface the program called. mpif.h and the module mpi have the same entry points. */
enum cs_language { CS_LANGUAGE_C, CS_LANGUAGE_FORTRAN, CS_LANGUAGE_F08 };

/* What the program gave with a keyval of its own. Functions are told like call sites: by an address behind their first
   byte, and 0 if they have a name in the standard. */
struct cs_fact_callbacks {
    struct cs_fact fact;
    uint32_t object; /* the keyval */
    int32_t keyval;
    uint16_t kind;     /* of object that it is for */
    uint16_t language; /* enum cs_language */
    uint32_t reserved;
    uint64_t copy_site, delete_site;
    int64_t extra_state; /* C: the pointer */
};

/* A keyval was freed. */
struct cs_fact_holders {
    struct cs_fact fact;
    uint32_t object;  /* the keyval */
    uint32_t holders; /* objects that still had a value */
};
