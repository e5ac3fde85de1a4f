/* Converts Fortran arguments to C. Each is an address: of an INTEGER for integers and handles (an mpi_f08 handle is
   a structure of one INTEGER), of an array, or of a buffer. */
#pragma once

#include <stdatomic.h>

#include "pmpi_queries.h"
#include "wrappers/call/call.h"

_Static_assert(sizeof(MPI_Fint) == sizeof(int), "INTEGER of Fortran must be int of C");

static inline int cs_fortran_integer(const void *value)
{
    return *(const MPI_Fint *)value;
}
static inline MPI_Count cs_fortran_count(const void *value)
{
    return *(const MPI_Count *)value;
}
static inline MPI_Aint cs_fortran_address(const void *value)
{
    return *(const MPI_Aint *)value;
}

/* With CS_FORTRAN_HANDLES_ARE_C these conversions cost nothing. Elsewhere the look-up takes three nanoseconds each;
   most calls can avoid it. */

static inline MPI_Comm cs_fortran_comm(const void *handle)
{
    return cs_mpi_Comm_f2c(*(const MPI_Fint *)handle);
}

/* Predefined datatypes by their Fortran number: they are never freed, so a known number stays valid. NULL: not known
   to be predefined. */
enum { CS_FORTRAN_TYPES = 128 };
extern _Atomic(MPI_Datatype) cs_fortran_types[CS_FORTRAN_TYPES] __attribute__((visibility("hidden")));
MPI_Datatype cs_fortran_type_find(MPI_Fint handle);

static inline MPI_Datatype cs_fortran_type(const void *handle)
{
    MPI_Fint number = *(const MPI_Fint *)handle;
    if (CS_FORTRAN_HANDLES_ARE_C)
        return cs_mpi_Type_f2c(number);
    MPI_Datatype known = (MPI_Datatype)0;
    if ((unsigned)number < CS_FORTRAN_TYPES)
        known = atomic_load_explicit(&cs_fortran_types[number], memory_order_relaxed);
    return known ? known : cs_fortran_type_find(number);
}
static inline MPI_Win cs_fortran_win(const void *handle)
{
    return cs_mpi_Win_f2c(*(const MPI_Fint *)handle);
}
static inline MPI_File cs_fortran_file(const void *handle)
{
    return cs_mpi_File_f2c(*(const MPI_Fint *)handle);
}
static inline MPI_Message cs_fortran_message(const void *handle)
{
    return cs_mpi_Message_f2c(*(const MPI_Fint *)handle);
}
static inline MPI_Request cs_fortran_request(const void *handle)
{
    return cs_mpi_Request_f2c(*(const MPI_Fint *)handle);
}
static inline MPI_Info cs_fortran_info(const void *handle)
{
    return cs_mpi_Info_f2c(*(const MPI_Fint *)handle);
}
static inline MPI_Op cs_fortran_op(const void *handle)
{
    return cs_mpi_Op_f2c(*(const MPI_Fint *)handle);
}
static inline MPI_Group cs_fortran_group(const void *handle)
{
    return cs_mpi_Group_f2c(*(const MPI_Fint *)handle);
}
static inline MPI_Errhandler cs_fortran_errhandler(const void *handle)
{
    return cs_mpi_Errhandler_f2c(*(const MPI_Fint *)handle);
}
#ifdef CS_HAS_SESSIONS
static inline MPI_Session cs_fortran_session(const void *handle)
{
    return cs_mpi_Session_f2c(*(const MPI_Fint *)handle);
}
#endif
