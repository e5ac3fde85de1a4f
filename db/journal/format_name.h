/* Facts of the journal about names that an object did not get: db/journal/format.h has all others. */
#pragma once

#include "db/journal/format.h"

/* The MPI refused a call of MPI_*_set_name. The name is not known: its address may be anything. */
struct cs_fact_refused_name {
    struct cs_fact fact;
    uint32_t object; /* 0: not known, as of a handle that is none */
    uint32_t kind;   /* of object that the call is for */
    uint64_t site;
};
