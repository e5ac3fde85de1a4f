/* Cells and facts of journals that say where threads ran. */
#pragma once

#include "db/journal/format.h"

/* The calls of one thread on one processor. */
struct cs_cpu_cell {
    uint64_t calls;         /* until the thread left */
    uint64_t arrived_calls; /* with `here`: the thread's calls when it came; those since then are to be added */
    uint64_t first_ticks;   /* when it was first seen here */
    uint64_t last_ticks;    /* and last; with `here`: the end of the thread's last call */
    uint64_t moves;         /* how often it came here from another processor */
    uint32_t thread;
    int32_t cpu;
    uint32_t here; /* 1: this is where it is */
    uint32_t reserved;
    uint64_t reserved2;
};
static_assert(sizeof(struct cs_cpu_cell) == 64, "one cache line");

enum { CS_MOVES_KEPT = 64 };

/* A thread was seen on another processor than before. The first CS_MOVES_KEPT moves of a thread have a cell each, those
   after them share as many in turn: the last ones are kept. */
struct cs_move_cell {
    uint64_t number; /* of the move, from 1; 0: being written */
    uint64_t ticks;
    uint32_t thread;
    int32_t cpu; /* where it was then */
};

enum { CS_ANSWER_BYTES = 256 };

/* One distinct answer of MPI_Get_processor_name at one call site. */
struct cs_answer_cell {
    uint64_t site;
    char name[CS_ANSWER_BYTES]; /* ended by NUL, cut */
    uint64_t calls;
    uint64_t first_ticks, last_ticks;
    uint32_t thread, reserved;
};

enum cs_placement_reason { CS_PLACED_START = 1, CS_PLACED_ASKED, CS_PLACED_MOVED, CS_PLACED_END };

struct cs_fact_placement {
    struct cs_fact fact;
    int32_t cpu;     /* -1: not known */
    uint16_t reason; /* enum cs_placement_reason */
    uint16_t thread;
};

/* Where a processor is, told once for each that the rank was seen on. -1: not known. */
struct cs_fact_cpu {
    struct cs_fact fact;
    int32_t cpu, core, package, numa_node;
};
