/* Predefined attributes: the MPI's own, where it answers questions about attributes. */
#pragma once

#include "whole_mpi.h"
#include <stdbool.h>

#include "callsign/debug.h"

/* Whether the keyval is a predefined one, of whatever kind of objects; Fortran's numbers among them. */
bool cs_predefined_is_any(int keyval);
bool cs_predefined_is_for(enum callsign_kind kind, int keyval);

/* Of an MPI that has no answer. C is given the address of an int; NULL: there is no such attribute. */
const int *cs_predefined_answer(MPI_Comm comm, int keyval);
