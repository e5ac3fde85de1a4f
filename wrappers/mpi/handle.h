/* Handles as 64-bit keys, for record/ and for emulated names and attributes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "callsign/debug.h"
#include "pmpi_queries.h"

/* MPICH handles are 32-bit integers, some of them negative. */
#define CS_KEY(handle) (sizeof(handle) == 4 ? (uint64_t)(uint32_t)(uintptr_t)(handle) : (uint64_t)(uintptr_t)(handle))

/* And back. */
#define CS_HANDLE_OF(type, key) ((type)(uintptr_t)(sizeof(type) == 4 ? (uint64_t)(uint32_t)(key) : (key)))

/* ---- handles of Fortran, of the kinds that have names and attributes ---- */

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

/* ---- handles that can be none ----

   MPICH 5 returns MPI_SUCCESS from a call that failed once an error handler of the program has returned. The handle is
   then what stood there before. A query about it would call that error handler again. */

/* MPICH handles are numbers: two bits are the storage class (0: none), the next four the kind. */
static inline bool cs_can_be_handle(uint64_t key, uint64_t null)
{
#if defined(MPICH_VERSION) || defined(MPICH_NAME)
    return (uint32_t)key >> 30 != 0 && ((uint32_t)(key ^ null) >> 26 & 15) == 0;
#else
    return key != null;
#endif
}

/* null: the null handle of this kind. */
#define cs_is_plausible(handle, null) cs_can_be_handle(CS_KEY(handle), CS_KEY(null))
