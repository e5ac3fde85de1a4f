/* Facts of the journal about what becomes of communicators: db/journal/format.h has all others. */
#pragma once

#include "db/journal/format.h"

/* An idup'ed communicator became usable. */
struct cs_fact_ready {
    struct cs_fact fact;
    uint32_t object, reserved;
};

/* A call that creates communicators had none for this process. */
struct cs_fact_excluded {
    struct cs_fact fact;
    uint32_t parent; /* communicator of the call */
    uint32_t number; /* of such creations on it, this one included; 0: not counted */
    uint64_t site;
    uint64_t family; /* of what the others got; 0: not known */
    uint16_t function;
    uint16_t reserved[3];
};

/* Requests that were pending when their communicator, window or file was freed: those of one function and call site. */
struct cs_fact_pending {
    struct cs_fact fact;
    uint32_t object;
    uint32_t requests;
    uint64_t site;
    uint16_t function; /* 0: all that there was no room to tell apart */
    uint16_t reserved[3];
};

enum cs_comparison_answer { CS_COMPARED_IDENT = 1, CS_COMPARED_CONGRUENT, CS_COMPARED_SIMILAR, CS_COMPARED_UNEQUAL };

/* One distinct comparison of two communicators or groups, and its answer. */
struct cs_comparison_cell {
    uint64_t site;
    uint32_t first, second; /* objects; 0: not known, or MPI_GROUP_EMPTY */
    uint16_t answer;        /* enum cs_comparison_answer */
    uint16_t kind;          /* of the objects: enum callsign_kind of include/callsign/debug.h */
    uint32_t reserved;
    uint64_t calls;
    uint64_t first_ticks, last_ticks;
    uint64_t reserved2[2];
};
static_assert(sizeof(struct cs_comparison_cell) == 64, "one cache line");
