/* Answers of MPI_Comm_compare and MPI_Group_compare: one cell per distinct question and answer, see struct
   cs_comparison_cell. */
#pragma once

#include "callsign/debug.h"
#include "db/journal/format.h"
#include "record/thread.h"

struct cs_comparison {
    uint64_t site;
    uint32_t first, second; /* ids; 0: not known, or MPI_GROUP_EMPTY */
    enum callsign_kind kind;
    enum cs_comparison_answer answer;
    uint64_t ticks; /* when */
};

void cs_comparison_count(struct cs_thread *thread, const struct cs_comparison *comparison);
