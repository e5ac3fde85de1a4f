/* How a datatype was made. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "whole_mpi.h"

/* MPI_COMBINER_*, as the MPI says it; where it cannot be asked, what the function that made the type tells (0: that was
   not seen). MPI_UNDEFINED: not known. */
int cs_combiner_of(MPI_Datatype type, uint16_t function);

/* The same as traces have it: enum cs_combiner. */
int cs_combiner_number(int combiner);

/* Whether the handle is one that mpi.h names: before the call nothing may be asked of any other. */
bool cs_type_is_predefined(MPI_Datatype type);
