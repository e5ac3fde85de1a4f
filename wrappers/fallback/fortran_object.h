/* Duplicating and freeing objects from Fortran. */
#pragma once

#include <stddef.h>

#include "wrappers/fallback/native.h"

/* An entry point, which is callsign's where the function of C is. native: that of Fortran, where it is needed; of any
   binding: they take the same. */
struct cs_fortran_own {
    const char *name;      /* without what compilers and bindings add */
    void **next, **of_mpi; /* the function of C: what is called, and what the MPI has */
    void *in_c, *own;
    void **native; /* where own finds that of Fortran; it stays NULL if the MPI has none in C */
};
#define CS_FORTRAN_OWN(C, name, own, native)                                                                           \
    {                                                                                                                  \
        name, (void **)&cs_next.MPI_##C, (void **)&cs_native.MPI_##C, (void *)cs_fallback_##C, (void *)(own), native   \
    }

extern const struct cs_fortran_own cs_fortran_objects[] __attribute__((visibility("hidden")));
extern const size_t cs_fortran_objects_count __attribute__((visibility("hidden")));
