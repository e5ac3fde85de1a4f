/* Calls of synchronizing collectives in the journal: db/journal/format.h has all others.
 *
 * Nobody leaves MPI_Barrier before everybody has entered it. Where the n-th such call on a communicator was entered and
 * left is kept by all members for the same n, without a word between them: 1, 2, 4, 8, ... as facts, and the last 16 in
 * a cell that is written again and again. From these db/run finds how the clocks of the nodes stand to each other. */
#pragma once

#include "db/journal/format.h"

#define CS_SYNCHRONIZATION_LAST 16

struct cs_synchronization_point {
    uint64_t nth;           /* such call on the communicator, from 1; in a cell 0 while the point is written */
    uint64_t entered_ticks; /* 0: nobody waits for this process in this call */
    uint64_t left_ticks;    /* 0: this process waits for nobody */
};

struct cs_fact_synchronization {
    struct cs_fact fact;
    uint32_t object, reserved;
    struct cs_synchronization_point point;
};

/* The last calls on one communicator, the n-th in the place n modulo 16. object 0: not valid. */
struct cs_synchronization_cell {
    uint32_t object; /* stored last */
    uint32_t reserved;
    uint64_t reserved2[7];
    struct cs_synchronization_point last[CS_SYNCHRONIZATION_LAST];
};
static_assert(sizeof(struct cs_synchronization_cell) == 448, "seven cache lines");
