/* Handles of Fortran, of the kinds that have names and attributes, as keys. */
#pragma once

#include "asked.h"

#include "callsign/debug.h"
#include "wrappers/fallback/handle.h"

static inline uint64_t cs_key_of_fortran(enum callsign_kind kind, MPI_Fint handle)
{
    return kind == CALLSIGN_COMMUNICATOR ? CS_KEY(cs_mpi_Comm_f2c(handle))
           : kind == CALLSIGN_DATATYPE   ? CS_KEY(cs_mpi_Type_f2c(handle))
                                         : CS_KEY(cs_mpi_Win_f2c(handle));
}

static inline MPI_Fint cs_fortran_of_key(enum callsign_kind kind, uint64_t key)
{
    return kind == CALLSIGN_COMMUNICATOR ? cs_mpi_Comm_c2f(CS_HANDLE_OF(MPI_Comm, key))
           : kind == CALLSIGN_DATATYPE   ? cs_mpi_Type_c2f(CS_HANDLE_OF(MPI_Datatype, key))
                                         : cs_mpi_Win_c2f(CS_HANDLE_OF(MPI_Win, key));
}
