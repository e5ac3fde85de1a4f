/* Local checks of counts, sizes, arrays of them, and places for results. */
#pragma once

#include "wrappers/call/arrays.h"
#include "wrappers/call/misuse.h"

/* A result of the call needs a place. */
void cs_checks_output(struct cs_call *call, const void *output);
/* Open MPI's constant for no status is NULL. */
void cs_checks_status(struct cs_call *call, const void *status);
void cs_checks_statuses(struct cs_call *call, MPI_Count count, const void *statuses);

void cs_checks_array(struct cs_call *call, MPI_Count count, const int values[]);
void cs_checks_count(struct cs_call *call, MPI_Count count);
/* A size or block length, and a unit, which must not be 0. */
void cs_checks_size(struct cs_call *call, int64_t size);
void cs_checks_unit(struct cs_call *call, int64_t unit);
void cs_checks_sizes(struct cs_call *call, MPI_Count count, struct cs_counts sizes);

void cs_checks_types(struct cs_call *call, MPI_Count count, struct cs_types types);

/* The parts of an array lie inside of it. */
void cs_checks_subarray(struct cs_call *call, MPI_Count dimensions, struct cs_counts sizes, struct cs_counts parts,
                        struct cs_counts starts);

/* The memory of a window, of packed or of buffered data has an address, and may lie in a variable. Whether it exists is
   not tried: it may belong to another device. */
void cs_checks_memory(struct cs_call *call, const void *memory, int64_t bytes);
