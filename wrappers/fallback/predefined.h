/* Predefined attributes: the MPI's own, where it answers questions about attributes. */
#pragma once

#include "whole_mpi.h"
#include <stdbool.h>

#include "wrappers/fallback/store.h"

/* Whether the keyval is a predefined one, of whatever kind of objects; Fortran's numbers among them. */
bool cs_predefined_is_any(int keyval);
bool cs_predefined_is_for(enum callsign_kind kind, int keyval);

/* Of an MPI that has no answer. found: false, there is no such attribute. */
struct cs_own_answer cs_predefined_answer(enum callsign_kind kind, uint64_t object, int keyval);
