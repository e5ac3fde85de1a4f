/* Keyvals whose callbacks are in Fortran. */
#pragma once

#include "whole_mpi.h"

#include "callsign/debug.h"

/* Subroutines with arguments by reference: MPI 4.1, 7.7. */
typedef void cs_fortran_callback(void);

/* Values and extra state as large as an address; of MPI-1 they are INTEGER. The answer: an error code. */
MPI_Fint cs_fallback_create_keyval_fortran(enum callsign_kind kind, cs_fortran_callback *copy,
                                           cs_fortran_callback *delete_fn, MPI_Fint *keyval, MPI_Aint extra_state);
MPI_Fint cs_fallback_keyval_create_fortran(cs_fortran_callback *copy, cs_fortran_callback *delete_fn, MPI_Fint *keyval,
                                           MPI_Fint extra_state);
