/* Layouts of datatypes that have gaps, or other sizes than predefined ones. The MPI is asked once for each datatype. */
#pragma once

#include "record/object/type_layout.h"
#include "wrappers/call/arrays.h"
#include "wrappers/object/datatype.h"

/* NULL: it cannot be described by some runs, or the program has more different ones than are kept. Layouts stay. */
const struct cs_layout *cs_layout_of_type(struct cs_call *call, MPI_Datatype type);

/* Adds a block of `length` elements, at `times` places. False: it cannot be described. */
bool cs_layout_add_block(struct cs_layout *layout, const struct cs_layout *element, int64_t begin, int64_t length,
                         int64_t step, int64_t times);

/* Blocks of elements at `places`, which are `unit` bytes. */
struct cs_blocks {
    struct cs_counts lengths; /* without values: all have `length` */
    int64_t length;
    struct cs_integers places;
    int64_t unit;
    int count;
};

/* Adds them; those at regular distances become one run. */
bool cs_layout_add_blocks(struct cs_layout *layout, const struct cs_layout *element, const struct cs_blocks *blocks);
