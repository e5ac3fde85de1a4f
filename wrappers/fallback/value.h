/* Attribute values between languages: MPI 4.1, 19.3.6. C has pointers; what Fortran set it gets as the address of the
   integer. Fortran has integers; a pointer of C is an address there, and INTEGER of MPI-1 has the lower half of what is
   larger. */
#pragma once

#include "whole_mpi.h"

#include "wrappers/fallback/keyval_table.h"

static inline struct cs_own_value cs_value_of_c(void *pointer)
{
    return (struct cs_own_value){.pointer = pointer, .kind = CS_OWN_POINTER};
}

static inline struct cs_own_value cs_value_of_integer(MPI_Fint integer)
{
    return (struct cs_own_value){.integer = integer, .kind = CS_OWN_INTEGER};
}

static inline struct cs_own_value cs_value_of_address(MPI_Aint address)
{
    return (struct cs_own_value){.address = address, .kind = CS_OWN_ADDRESS};
}

/* kept: where it is kept, which is the answer for what Fortran set. */
static inline void *cs_value_in_c(struct cs_own_value value, const void *kept)
{
    return value.kind == CS_OWN_POINTER ? value.pointer : (void *)(uintptr_t)kept;
}

static inline MPI_Aint cs_value_in_fortran(struct cs_own_value value)
{
    /* MPI_Aint has no sign in some MPIs. */
    return value.kind == CS_OWN_POINTER   ? (MPI_Aint)(intptr_t)value.pointer
           : value.kind == CS_OWN_INTEGER ? (MPI_Aint)value.integer
                                          : (MPI_Aint)value.address;
}
