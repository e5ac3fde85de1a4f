/* The predefined keyval functions of the standard (MPI 4.1, 7.7.2), for Fortran programs with an MPI that lacks
   attributes. */
#pragma once

#include "fortran_next.h"

#define CS_READY_COPIES(name, Integer)                                                                                 \
    CS_EXPORT void name(const MPI_Fint *object, const MPI_Fint *keyval, const Integer *extra_state, const Integer *in, \
                        Integer *out, MPI_Fint *flag, MPI_Fint *error)                                                 \
    {                                                                                                                  \
        (void)object, (void)keyval, (void)extra_state;                                                                 \
        *out = *in;                                                                                                    \
        *flag = 1;                                                                                                     \
        *error = MPI_SUCCESS;                                                                                          \
    }

#define CS_READY_COPIES_NOTHING(name, Integer)                                                                         \
    CS_EXPORT void name(const MPI_Fint *object, const MPI_Fint *keyval, const Integer *extra_state, const Integer *in, \
                        Integer *out, MPI_Fint *flag, MPI_Fint *error)                                                 \
    {                                                                                                                  \
        (void)object, (void)keyval, (void)extra_state, (void)in, (void)out;                                            \
        *flag = 0;                                                                                                     \
        *error = MPI_SUCCESS;                                                                                          \
    }

#define CS_READY_DELETES_NOTHING(name, Integer)                                                                        \
    CS_EXPORT void name(const MPI_Fint *object, const MPI_Fint *keyval, const Integer *value,                          \
                        const Integer *extra_state, MPI_Fint *error)                                                   \
    {                                                                                                                  \
        (void)object, (void)keyval, (void)value, (void)extra_state;                                                    \
        *error = MPI_SUCCESS;                                                                                          \
    }
