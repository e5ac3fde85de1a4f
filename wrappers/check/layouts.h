/* Layouts of datatypes that have gaps, or other sizes than predefined ones. The MPI is asked once for each datatype. */
#pragma once

#include "record/object/type_layout.h"
#include "wrappers/object/datatype.h"

/* NULL: it cannot be described by some runs, or the program has more different ones than are kept. Layouts stay. */
const struct cs_layout *cs_layout_of_type(struct cs_call *call, MPI_Datatype type);
